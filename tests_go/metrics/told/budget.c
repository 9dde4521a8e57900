/* What two budgets tell, before what pools do. There is no Redis: how they are is made up. */
#include <asyncpool/redis_budget.h>
#include <stdio.h>

int main(void)
{
    static pool_budget_t fine, expired;
    static char text[65536];
    pool_budget_t *both[2] = {&fine, &expired};
    pool_budget_info_t infos[2] = {{.limit = 100, .leases = 7, .used = 6, .granted = 12, .left_ms = 7050},
                                   {.limit = 3, .expired = true, .error = "gone", .renewals = 9, .renewals_failed = 8}};
    pool__budget_page_t page = {text, sizeof text, 0};
    fine.config.key = "orders";
    expired.config.key = "\"a\\b\n\xff%";
    pool__budget_put_metrics(&page, both, infos, 2);
    pool_metrics(text + page.length, sizeof text - page.length);
    fputs(text, stdout);
    return 0;
}
