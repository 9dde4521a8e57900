/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 156dda17e65a9bffbcfc55dd8c4504bb98f6791a */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Async_TryLater___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, ms, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, message, IS_STRING, 0, "\"\"")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, previous, Throwable, 1, "null")
ZEND_END_ARG_INFO()


ZEND_METHOD(Async_TryLater, __construct);


static const zend_function_entry class_Async_AsyncException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Async_PoolException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Async_TimeoutException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Async_OverloadedException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Async_TryLater_methods[] = {
	ZEND_ME(Async_TryLater, __construct, arginfo_class_Async_TryLater___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Async_ServiceUnavailableException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Async_AsyncCancellation_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Async_DeadlockError_methods[] = {
	ZEND_FE_END
};

static zend_class_entry *register_class_Async_AsyncException(zend_class_entry *class_entry_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async", "AsyncException", class_Async_AsyncException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Exception);

	return class_entry;
}

static zend_class_entry *register_class_Async_PoolException(zend_class_entry *class_entry_Async_AsyncException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async", "PoolException", class_Async_PoolException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Async_AsyncException);

	return class_entry;
}

static zend_class_entry *register_class_Async_TimeoutException(zend_class_entry *class_entry_Async_PoolException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async", "TimeoutException", class_Async_TimeoutException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Async_PoolException);

	return class_entry;
}

static zend_class_entry *register_class_Async_OverloadedException(zend_class_entry *class_entry_Async_PoolException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async", "OverloadedException", class_Async_OverloadedException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Async_PoolException);

	return class_entry;
}

static zend_class_entry *register_class_Async_TryLater(zend_class_entry *class_entry_Async_PoolException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async", "TryLater", class_Async_TryLater_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Async_PoolException);

	zval property_ms_default_value;
	ZVAL_UNDEF(&property_ms_default_value);
	zend_string *property_ms_name = zend_string_init("ms", sizeof("ms") - 1, 1);
	zend_declare_typed_property(class_entry, property_ms_name, &property_ms_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_ms_name);

	return class_entry;
}

static zend_class_entry *register_class_Async_ServiceUnavailableException(zend_class_entry *class_entry_Async_AsyncException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async", "ServiceUnavailableException", class_Async_ServiceUnavailableException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Async_AsyncException);

	return class_entry;
}

static zend_class_entry *register_class_Async_AsyncCancellation(zend_class_entry *class_entry_Error)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async", "AsyncCancellation", class_Async_AsyncCancellation_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Error);

	return class_entry;
}

static zend_class_entry *register_class_Async_DeadlockError(zend_class_entry *class_entry_Error)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async", "DeadlockError", class_Async_DeadlockError_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Error);

	return class_entry;
}
