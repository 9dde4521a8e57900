/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 7bc94e7112d1ee5e08e0154669344bd490370d00 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Async_PoolStats___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, counts, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Async_Lend___construct, 0, 0, 5)
	ZEND_ARG_TYPE_INFO(0, resource, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, ms, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, uses, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, place, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, coroutine, IS_LONG, 1)
ZEND_END_ARG_INFO()


ZEND_METHOD(Async_PoolStats, __construct);
ZEND_METHOD(Async_Lend, __construct);


static const zend_function_entry class_Async_PoolStats_methods[] = {
	ZEND_ME(Async_PoolStats, __construct, arginfo_class_Async_PoolStats___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Async_Lend_methods[] = {
	ZEND_ME(Async_Lend, __construct, arginfo_class_Async_Lend___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Async_PoolStats(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async", "PoolStats", class_Async_PoolStats_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES;

	zval property_lends_default_value;
	ZVAL_UNDEF(&property_lends_default_value);
	zend_string *property_lends_name = zend_string_init("lends", sizeof("lends") - 1, 1);
	zend_declare_typed_property(class_entry, property_lends_name, &property_lends_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_lends_name);

	zval property_waited_default_value;
	ZVAL_UNDEF(&property_waited_default_value);
	zend_string *property_waited_name = zend_string_init("waited", sizeof("waited") - 1, 1);
	zend_declare_typed_property(class_entry, property_waited_name, &property_waited_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_waited_name);

	zval property_timeouts_default_value;
	ZVAL_UNDEF(&property_timeouts_default_value);
	zend_string *property_timeouts_name = zend_string_init("timeouts", sizeof("timeouts") - 1, 1);
	zend_declare_typed_property(class_entry, property_timeouts_name, &property_timeouts_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_timeouts_name);

	zval property_unavailable_default_value;
	ZVAL_UNDEF(&property_unavailable_default_value);
	zend_string *property_unavailable_name = zend_string_init("unavailable", sizeof("unavailable") - 1, 1);
	zend_declare_typed_property(class_entry, property_unavailable_name, &property_unavailable_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_unavailable_name);

	zval property_overloaded_default_value;
	ZVAL_UNDEF(&property_overloaded_default_value);
	zend_string *property_overloaded_name = zend_string_init("overloaded", sizeof("overloaded") - 1, 1);
	zend_declare_typed_property(class_entry, property_overloaded_name, &property_overloaded_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_overloaded_name);

	zval property_cancelled_default_value;
	ZVAL_UNDEF(&property_cancelled_default_value);
	zend_string *property_cancelled_name = zend_string_init("cancelled", sizeof("cancelled") - 1, 1);
	zend_declare_typed_property(class_entry, property_cancelled_name, &property_cancelled_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_cancelled_name);

	zval property_created_default_value;
	ZVAL_UNDEF(&property_created_default_value);
	zend_string *property_created_name = zend_string_init("created", sizeof("created") - 1, 1);
	zend_declare_typed_property(class_entry, property_created_name, &property_created_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_created_name);

	zval property_failed_default_value;
	ZVAL_UNDEF(&property_failed_default_value);
	zend_string *property_failed_name = zend_string_init("failed", sizeof("failed") - 1, 1);
	zend_declare_typed_property(class_entry, property_failed_name, &property_failed_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_failed_name);

	zval property_detached_default_value;
	ZVAL_UNDEF(&property_detached_default_value);
	zend_string *property_detached_name = zend_string_init("detached", sizeof("detached") - 1, 1);
	zend_declare_typed_property(class_entry, property_detached_name, &property_detached_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_detached_name);

	zval property_destroyed_default_value;
	ZVAL_UNDEF(&property_destroyed_default_value);
	zend_string *property_destroyed_name = zend_string_init("destroyed", sizeof("destroyed") - 1, 1);
	zend_declare_typed_property(class_entry, property_destroyed_name, &property_destroyed_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_destroyed_name);

	zval property_count_default_value;
	ZVAL_UNDEF(&property_count_default_value);
	zend_string *property_count_name = zend_string_init("count", sizeof("count") - 1, 1);
	zend_declare_typed_property(class_entry, property_count_name, &property_count_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_count_name);

	zval property_making_default_value;
	ZVAL_UNDEF(&property_making_default_value);
	zend_string *property_making_name = zend_string_init("making", sizeof("making") - 1, 1);
	zend_declare_typed_property(class_entry, property_making_name, &property_making_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_making_name);

	zval property_destroyedRejected_default_value;
	ZVAL_UNDEF(&property_destroyedRejected_default_value);
	zend_string *property_destroyedRejected_name = zend_string_init("destroyedRejected", sizeof("destroyedRejected") - 1, 1);
	zend_declare_typed_property(class_entry, property_destroyedRejected_name, &property_destroyedRejected_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_destroyedRejected_name);

	zval property_destroyedRefused_default_value;
	ZVAL_UNDEF(&property_destroyedRefused_default_value);
	zend_string *property_destroyedRefused_name = zend_string_init("destroyedRefused", sizeof("destroyedRefused") - 1, 1);
	zend_declare_typed_property(class_entry, property_destroyedRefused_name, &property_destroyedRefused_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_destroyedRefused_name);

	zval property_destroyedDead_default_value;
	ZVAL_UNDEF(&property_destroyedDead_default_value);
	zend_string *property_destroyedDead_name = zend_string_init("destroyedDead", sizeof("destroyedDead") - 1, 1);
	zend_declare_typed_property(class_entry, property_destroyedDead_name, &property_destroyedDead_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_destroyedDead_name);

	zval property_destroyedLifetime_default_value;
	ZVAL_UNDEF(&property_destroyedLifetime_default_value);
	zend_string *property_destroyedLifetime_name = zend_string_init("destroyedLifetime", sizeof("destroyedLifetime") - 1, 1);
	zend_declare_typed_property(class_entry, property_destroyedLifetime_name, &property_destroyedLifetime_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_destroyedLifetime_name);

	zval property_destroyedIdle_default_value;
	ZVAL_UNDEF(&property_destroyedIdle_default_value);
	zend_string *property_destroyedIdle_name = zend_string_init("destroyedIdle", sizeof("destroyedIdle") - 1, 1);
	zend_declare_typed_property(class_entry, property_destroyedIdle_name, &property_destroyedIdle_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_destroyedIdle_name);

	zval property_destroyedUses_default_value;
	ZVAL_UNDEF(&property_destroyedUses_default_value);
	zend_string *property_destroyedUses_name = zend_string_init("destroyedUses", sizeof("destroyedUses") - 1, 1);
	zend_declare_typed_property(class_entry, property_destroyedUses_name, &property_destroyedUses_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_destroyedUses_name);

	zval property_destroyedEvicted_default_value;
	ZVAL_UNDEF(&property_destroyedEvicted_default_value);
	zend_string *property_destroyedEvicted_name = zend_string_init("destroyedEvicted", sizeof("destroyedEvicted") - 1, 1);
	zend_declare_typed_property(class_entry, property_destroyedEvicted_name, &property_destroyedEvicted_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_destroyedEvicted_name);

	zval property_destroyedDiscarded_default_value;
	ZVAL_UNDEF(&property_destroyedDiscarded_default_value);
	zend_string *property_destroyedDiscarded_name = zend_string_init("destroyedDiscarded", sizeof("destroyedDiscarded") - 1, 1);
	zend_declare_typed_property(class_entry, property_destroyedDiscarded_name, &property_destroyedDiscarded_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_destroyedDiscarded_name);

	zval property_destroyedShrunk_default_value;
	ZVAL_UNDEF(&property_destroyedShrunk_default_value);
	zend_string *property_destroyedShrunk_name = zend_string_init("destroyedShrunk", sizeof("destroyedShrunk") - 1, 1);
	zend_declare_typed_property(class_entry, property_destroyedShrunk_name, &property_destroyedShrunk_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_destroyedShrunk_name);

	zval property_destroyedClosed_default_value;
	ZVAL_UNDEF(&property_destroyedClosed_default_value);
	zend_string *property_destroyedClosed_name = zend_string_init("destroyedClosed", sizeof("destroyedClosed") - 1, 1);
	zend_declare_typed_property(class_entry, property_destroyedClosed_name, &property_destroyedClosed_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_destroyedClosed_name);

	zval property_leaked_default_value;
	ZVAL_UNDEF(&property_leaked_default_value);
	zend_string *property_leaked_name = zend_string_init("leaked", sizeof("leaked") - 1, 1);
	zend_declare_typed_property(class_entry, property_leaked_name, &property_leaked_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_leaked_name);

	zval property_peakActive_default_value;
	ZVAL_UNDEF(&property_peakActive_default_value);
	zend_string *property_peakActive_name = zend_string_init("peakActive", sizeof("peakActive") - 1, 1);
	zend_declare_typed_property(class_entry, property_peakActive_name, &property_peakActive_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_peakActive_name);

	zval property_peakWaiting_default_value;
	ZVAL_UNDEF(&property_peakWaiting_default_value);
	zend_string *property_peakWaiting_name = zend_string_init("peakWaiting", sizeof("peakWaiting") - 1, 1);
	zend_declare_typed_property(class_entry, property_peakWaiting_name, &property_peakWaiting_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_peakWaiting_name);

	zval property_waitUs_default_value;
	ZVAL_UNDEF(&property_waitUs_default_value);
	zend_string *property_waitUs_name = zend_string_init("waitUs", sizeof("waitUs") - 1, 1);
	zend_declare_typed_property(class_entry, property_waitUs_name, &property_waitUs_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_waitUs_name);

	zval property_createUs_default_value;
	ZVAL_UNDEF(&property_createUs_default_value);
	zend_string *property_createUs_name = zend_string_init("createUs", sizeof("createUs") - 1, 1);
	zend_declare_typed_property(class_entry, property_createUs_name, &property_createUs_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_createUs_name);

	zval property_holdUs_default_value;
	ZVAL_UNDEF(&property_holdUs_default_value);
	zend_string *property_holdUs_name = zend_string_init("holdUs", sizeof("holdUs") - 1, 1);
	zend_declare_typed_property(class_entry, property_holdUs_name, &property_holdUs_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_holdUs_name);

	zval property_waitHistogram_default_value;
	ZVAL_UNDEF(&property_waitHistogram_default_value);
	zend_string *property_waitHistogram_name = zend_string_init("waitHistogram", sizeof("waitHistogram") - 1, 1);
	zend_declare_typed_property(class_entry, property_waitHistogram_name, &property_waitHistogram_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_waitHistogram_name);

	zval property_createHistogram_default_value;
	ZVAL_UNDEF(&property_createHistogram_default_value);
	zend_string *property_createHistogram_name = zend_string_init("createHistogram", sizeof("createHistogram") - 1, 1);
	zend_declare_typed_property(class_entry, property_createHistogram_name, &property_createHistogram_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_createHistogram_name);

	zval property_holdHistogram_default_value;
	ZVAL_UNDEF(&property_holdHistogram_default_value);
	zend_string *property_holdHistogram_name = zend_string_init("holdHistogram", sizeof("holdHistogram") - 1, 1);
	zend_declare_typed_property(class_entry, property_holdHistogram_name, &property_holdHistogram_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_holdHistogram_name);

	return class_entry;
}

static zend_class_entry *register_class_Async_Lend(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Async", "Lend", class_Async_Lend_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES;

	zval property_resource_default_value;
	ZVAL_UNDEF(&property_resource_default_value);
	zend_string *property_resource_name = zend_string_init("resource", sizeof("resource") - 1, 1);
	zend_declare_typed_property(class_entry, property_resource_name, &property_resource_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ANY));
	zend_string_release(property_resource_name);

	zval property_ms_default_value;
	ZVAL_UNDEF(&property_ms_default_value);
	zend_string *property_ms_name = zend_string_init("ms", sizeof("ms") - 1, 1);
	zend_declare_typed_property(class_entry, property_ms_name, &property_ms_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_ms_name);

	zval property_uses_default_value;
	ZVAL_UNDEF(&property_uses_default_value);
	zend_string *property_uses_name = zend_string_init("uses", sizeof("uses") - 1, 1);
	zend_declare_typed_property(class_entry, property_uses_name, &property_uses_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_uses_name);

	zval property_place_default_value;
	ZVAL_UNDEF(&property_place_default_value);
	zend_string *property_place_name = zend_string_init("place", sizeof("place") - 1, 1);
	zend_declare_typed_property(class_entry, property_place_name, &property_place_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_place_name);

	zval property_coroutine_default_value;
	ZVAL_UNDEF(&property_coroutine_default_value);
	zend_string *property_coroutine_name = zend_string_init("coroutine", sizeof("coroutine") - 1, 1);
	zend_declare_typed_property(class_entry, property_coroutine_name, &property_coroutine_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_coroutine_name);

	return class_entry;
}
