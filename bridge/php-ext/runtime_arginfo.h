/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 676a43776256b9e03be284424db2124f895f47bd */

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Async_Internal_Runtime_loop, 0, 0, Async\\Internal\\Loop, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Async_Internal_Runtime_current, 0, 0, Async\\Coroutine, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_Runtime_end, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Async_Internal_Runtime_report arginfo_class_Async_Internal_Runtime_end


ZEND_METHOD(Async_Internal_Runtime, loop);
ZEND_METHOD(Async_Internal_Runtime, current);
ZEND_METHOD(Async_Internal_Runtime, end);
ZEND_METHOD(Async_Internal_Runtime, report);


static const zend_function_entry class_Async_Internal_Runtime_methods[] = {
	ZEND_ME(Async_Internal_Runtime, loop, arginfo_class_Async_Internal_Runtime_loop, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Async_Internal_Runtime, current, arginfo_class_Async_Internal_Runtime_current, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Async_Internal_Runtime, end, arginfo_class_Async_Internal_Runtime_end, ZEND_ACC_PRIVATE|ZEND_ACC_STATIC)
	ZEND_ME(Async_Internal_Runtime, report, arginfo_class_Async_Internal_Runtime_report, ZEND_ACC_PRIVATE|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Async_Internal_Runtime(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async\\Internal", "Runtime", class_Async_Internal_Runtime_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}
