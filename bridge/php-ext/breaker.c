/* Async\CircuitBreaker, its strategy and its states. */
#include "internal.h"

#include "zend_enum.h"
#include "zend_exceptions.h"
#include "zend_interfaces.h"
#include "breaker_arginfo.h"

zend_class_entry *asyncpool_ce_breaker, *asyncpool_ce_strategy;
static zend_class_entry *states;

void asyncpool_breaker_register(void)
{
    asyncpool_ce_strategy = register_class_Async_CircuitBreakerStrategy();
    states = register_class_Async_CircuitBreakerState();
    asyncpool_ce_breaker = register_class_Async_CircuitBreaker();
}

zend_object *asyncpool_breaker_state(pool_circuit_state_t state)
{
    const char *const names[] = {[POOL_CIRCUIT_ACTIVE] = "ACTIVE",
                                 [POOL_CIRCUIT_INACTIVE] = "INACTIVE",
                                 [POOL_CIRCUIT_RECOVERING] = "RECOVERING"};
    zend_object *object = zend_enum_get_case_cstr(states, names[state]);
    GC_ADDREF(object);
    return object;
}
