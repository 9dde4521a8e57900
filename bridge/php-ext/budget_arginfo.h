/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 9726a51e897ce757ea35bc3a40545c68e269ce7e */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Budget_take, 0, 2, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, pool, Async\\Pool, 0)
	ZEND_ARG_TYPE_INFO(0, timeLeft, IS_LONG, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Budget_give, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Async_Budget_beat arginfo_class_Async_Budget_give




static const zend_function_entry class_Async_Budget_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(Async_Budget, take, arginfo_class_Async_Budget_take, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Async_Budget, give, arginfo_class_Async_Budget_give, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Async_Budget, beat, arginfo_class_Async_Budget_beat, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};

static zend_class_entry *register_class_Async_Budget(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async", "Budget", class_Async_Budget_methods);
	class_entry = zend_register_internal_interface(&ce);

	return class_entry;
}
