/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 2ea1f7f11079d8d82e380efbf5e8c356aeb68347 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_WaitLoop_waitId, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_WaitLoop_suspend, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, untilNs, IS_LONG, 0, "Async\\Internal\\Loop::NEVER")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, for, Stringable, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, follows, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_WaitLoop_pass, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_WaitLoop_resume, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, value, IS_MIXED, 0, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_WaitLoop_throw, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_LONG, 0)
	ZEND_ARG_OBJ_INFO(0, error, Throwable, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_WaitLoop_spawn, 0, 1, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, body, Closure, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, background, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_WaitLoop_every, 0, 2, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, milliseconds, IS_LONG, 0)
	ZEND_ARG_OBJ_INFO(0, callback, Closure, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_WaitLoop_cancel, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, timer, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_WaitLoop_finish, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Async_Internal_RevoltLoop_queued arginfo_class_Async_Internal_WaitLoop_pass

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_RevoltLoop_turn, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Async_Internal_RevoltLoop_ring arginfo_class_Async_Internal_RevoltLoop_turn

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_Internal_RevoltLoop_ready, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_STRING, 0)
	ZEND_ARG_INFO(0, stream)
ZEND_END_ARG_INFO()


ZEND_METHOD(Async_Internal_WaitLoop, waitId);
ZEND_METHOD(Async_Internal_WaitLoop, suspend);
ZEND_METHOD(Async_Internal_WaitLoop, pass);
ZEND_METHOD(Async_Internal_WaitLoop, resume);
ZEND_METHOD(Async_Internal_WaitLoop, throw);
ZEND_METHOD(Async_Internal_WaitLoop, spawn);
ZEND_METHOD(Async_Internal_WaitLoop, every);
ZEND_METHOD(Async_Internal_WaitLoop, cancel);
ZEND_METHOD(Async_Internal_WaitLoop, finish);
ZEND_METHOD(Async_Internal_RevoltLoop, queued);
ZEND_METHOD(Async_Internal_RevoltLoop, turn);
ZEND_METHOD(Async_Internal_RevoltLoop, ring);
ZEND_METHOD(Async_Internal_RevoltLoop, ready);


static const zend_function_entry class_Async_Internal_Loop_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Async_Internal_WaitLoop_methods[] = {
	ZEND_ME(Async_Internal_WaitLoop, waitId, arginfo_class_Async_Internal_WaitLoop_waitId, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_Internal_WaitLoop, suspend, arginfo_class_Async_Internal_WaitLoop_suspend, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_Internal_WaitLoop, pass, arginfo_class_Async_Internal_WaitLoop_pass, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_Internal_WaitLoop, resume, arginfo_class_Async_Internal_WaitLoop_resume, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_Internal_WaitLoop, throw, arginfo_class_Async_Internal_WaitLoop_throw, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_Internal_WaitLoop, spawn, arginfo_class_Async_Internal_WaitLoop_spawn, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_Internal_WaitLoop, every, arginfo_class_Async_Internal_WaitLoop_every, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_Internal_WaitLoop, cancel, arginfo_class_Async_Internal_WaitLoop_cancel, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_Internal_WaitLoop, finish, arginfo_class_Async_Internal_WaitLoop_finish, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Async_Internal_FiberLoop_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Async_Internal_RevoltLoop_methods[] = {
	ZEND_ME(Async_Internal_RevoltLoop, queued, arginfo_class_Async_Internal_RevoltLoop_queued, ZEND_ACC_PRIVATE|ZEND_ACC_STATIC)
	ZEND_ME(Async_Internal_RevoltLoop, turn, arginfo_class_Async_Internal_RevoltLoop_turn, ZEND_ACC_PRIVATE|ZEND_ACC_STATIC)
	ZEND_ME(Async_Internal_RevoltLoop, ring, arginfo_class_Async_Internal_RevoltLoop_ring, ZEND_ACC_PRIVATE|ZEND_ACC_STATIC)
	ZEND_ME(Async_Internal_RevoltLoop, ready, arginfo_class_Async_Internal_RevoltLoop_ready, ZEND_ACC_PRIVATE|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Async_Internal_Loop(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async\\Internal", "Loop", class_Async_Internal_Loop_methods);
	class_entry = zend_register_internal_interface(&ce);

	zval const_NEVER_value;
	ZVAL_LONG(&const_NEVER_value, 9223372036854775807);
	zend_string *const_NEVER_name = zend_string_init_interned("NEVER", sizeof("NEVER") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_NEVER_name, &const_NEVER_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_NEVER_name);

	return class_entry;
}

static zend_class_entry *register_class_Async_Internal_WaitLoop(zend_class_entry *class_entry_Async_Internal_Loop)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async\\Internal", "WaitLoop", class_Async_Internal_WaitLoop_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_ABSTRACT;
	zend_class_implements(class_entry, 1, class_entry_Async_Internal_Loop);

	return class_entry;
}

static zend_class_entry *register_class_Async_Internal_FiberLoop(zend_class_entry *class_entry_Async_Internal_WaitLoop)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async\\Internal", "FiberLoop", class_Async_Internal_FiberLoop_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Async_Internal_WaitLoop);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Async_Internal_RevoltLoop(zend_class_entry *class_entry_Async_Internal_WaitLoop)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async\\Internal", "RevoltLoop", class_Async_Internal_RevoltLoop_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Async_Internal_WaitLoop);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
