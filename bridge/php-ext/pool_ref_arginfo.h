/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 2fc0e5b61d36758a3ebf9e416d982110d137a273 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_PoolRef___toString, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_PoolRef_make, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Async_Internal_PoolRef_sweep arginfo_class_Async_Internal_PoolRef_make


ZEND_METHOD(Async_Internal_PoolRef, __toString);
ZEND_METHOD(Async_Internal_PoolRef, make);
ZEND_METHOD(Async_Internal_PoolRef, sweep);


static const zend_function_entry class_Async_Internal_PoolRef_methods[] = {
	ZEND_ME(Async_Internal_PoolRef, __toString, arginfo_class_Async_Internal_PoolRef___toString, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_Internal_PoolRef, make, arginfo_class_Async_Internal_PoolRef_make, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_Internal_PoolRef, sweep, arginfo_class_Async_Internal_PoolRef_sweep, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Async_Internal_PoolRef(zend_class_entry *class_entry_Stringable)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async\\Internal", "PoolRef", class_Async_Internal_PoolRef_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Stringable);

	return class_entry;
}
