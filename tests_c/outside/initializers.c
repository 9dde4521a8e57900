/* What a user's file may do with the initializers of the header, in C and in C++. */
#include <asyncpool/pool.h>

int uses_initializers(void);

int uses_initializers(void)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    return config.max_size == 10 && ask.kind == POOL_ASK_DONE && !answer.ok;
}
