/*
 * Signals that come at every place in turn. A handler is called where the engine would call those of pcntl: at the first
 * look after an instruction of PHP code. With FAKEDB_INTERRUPT in the environment only: it slows everything down.
 *
 *     FakeDb\interrupt(int $nth, callable $handler): void   calls it once, for a signal at the nth instruction from now on
 *     FakeDb\interrupts(): int                              how many there were; ends it
 */
#include "fakedb.h"

static const uint8_t instructions[] = {
    ZEND_ASSIGN, ZEND_ASSIGN_OBJ, ZEND_ASSIGN_DIM, ZEND_FETCH_OBJ_R, ZEND_FETCH_OBJ_W,      ZEND_UNSET_DIM,
    ZEND_NEW,    ZEND_DO_FCALL,   ZEND_DO_UCALL,   ZEND_DO_ICALL,    ZEND_DO_FCALL_BY_NAME, ZEND_INIT_METHOD_CALL,
    ZEND_JMP,    ZEND_RETURN,
};

static zend_long passed, wanted;
static bool due;
static zval handler;
static void (*others)(zend_execute_data *);

static int instruction(zend_execute_data *execute_data)
{
    if (++passed == wanted) {
        due = true;
        zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
    }
    return ZEND_USER_OPCODE_DISPATCH;
}

static void look(zend_execute_data *execute_data)
{
    zval result;
    if (others)
        others(execute_data);
    if (!due || EG(exception))
        return;
    due = false;
    call_user_function(NULL, NULL, &handler, &result, 0, NULL);
    zval_ptr_dtor(&result);
}

void fakedb_interrupt_start(void)
{
    if (!getenv("FAKEDB_INTERRUPT"))
        return;
    for (size_t i = 0; i < sizeof instructions; i++)
        zend_set_user_opcode_handler(instructions[i], instruction);
    others = zend_interrupt_function;
    zend_interrupt_function = look;
}

static void set(zend_long nth, const zval *callable)
{
    zval before;
    ZVAL_COPY_VALUE(&before, &handler);
    due = false;
    passed = 0;
    wanted = nth;
    if (callable)
        ZVAL_COPY(&handler, callable);
    else
        ZVAL_UNDEF(&handler);
    zval_ptr_dtor(&before);
}

PHP_FUNCTION(FakeDb_interrupt)
{
    zval *callable;
    zend_long nth;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_LONG(nth)
    Z_PARAM_ZVAL(callable)
    ZEND_PARSE_PARAMETERS_END();
    set(nth, callable);
}

PHP_FUNCTION(FakeDb_interrupts)
{
    ZEND_PARSE_PARAMETERS_NONE();
    RETVAL_LONG(passed);
    set(0, NULL);
}
