#define FFI_SCOPE "ASYNCPOOL"
#define FFI_LIB "libasyncpool.so.1"
/* Generated from pool.h by abi/ffi_header.sh for FFI::load() and FFI::cdef(): read pool.h instead. */
/* Pools, reactors, ops, resources and other void pointers are typed uintptr_t. */
enum {
    POOL_ABI_VERSION = 1,
    POOL_F_FACTORY_INTERNAL = 1 << 0,
    POOL_F_DESTRUCTOR_INTERNAL = 1 << 1,
    POOL_F_HEALTHCHECK_INTERNAL = 1 << 2,
    POOL_F_BEFORE_ACQUIRE_INTERNAL = 1 << 3,
    POOL_F_BEFORE_RELEASE_INTERNAL = 1 << 4,
    POOL_F_STRATEGY_INTERNAL = 1 << 5,
    POOL_EVENT_F_CLOSED = 1 << 0,
    POOL_F_HOST_DRIVEN = 1 << 8,
    POOL_F_REACTOR = 1 << 9,
    POOL_F_LIFO = 1 << 10,
    POOL_F_CREATE_BEHIND = 1 << 11,
    POOL_F_LAZY_MIN = 1 << 12,
    POOL_F_TIMED = 1 << 13,
    POOL_ASKS_DESTROY = 1 << 0,
    POOL_ASKS_HEALTHCHECK = 1 << 1,
    POOL_ASKS_BEFORE_ACQUIRE = 1 << 2,
    POOL_ASKS_BEFORE_RELEASE = 1 << 3,
    POOL_ASKS_REPORTS = 1 << 4,
    POOL_ASKS_SHOULD_RECOVER = 1 << 5,
    POOL_ASKS_LEAKED = 1 << 6,
    POOL_COUNT_CREATIONS = 1 << 0,
    POOL_COUNT_RELEASES = 1 << 1,
};
typedef enum pool_status {
    POOL_OK = 0,
    POOL_PENDING = 1,
    POOL_EMPTY = 2,
    POOL_ERR_INVALID = -1,
    POOL_ERR_CLOSED = -2,
    POOL_ERR_UNAVAILABLE = -3,
    POOL_ERR_TIMEOUT = -4,
    POOL_ERR_FACTORY = -5,
    POOL_ERR_CANCELLED = -6,
    POOL_ERR_NOT_OWNED = -7,
    POOL_ERR_NOMEM = -8,
    POOL_ERR_FORKED = -9,
    POOL_ERR_OVERLOADED = -10,
    POOL_ERR_DEADLOCK = -11,
    POOL_ERR_INTERNAL = -12,
} pool_status_t;
typedef enum pool_circuit_state {
    POOL_CIRCUIT_ACTIVE = 0,
    POOL_CIRCUIT_INACTIVE = 1,
    POOL_CIRCUIT_RECOVERING = 2
} pool_circuit_state_t;
typedef struct pool_s pool_t;
typedef struct pool_reactor_s pool_reactor_t;
typedef struct pool_op {
    uint64_t opaque[31];
    uintptr_t data;
} pool_op_t;
typedef bool (*pool_factory_fn)(uintptr_t pool, uintptr_t *resource);
typedef void (*pool_destructor_fn)(uintptr_t pool, uintptr_t resource);
typedef bool (*pool_healthcheck_fn)(uintptr_t pool, uintptr_t resource);
typedef bool (*pool_before_acquire_fn)(uintptr_t pool, uintptr_t resource);
typedef bool (*pool_before_release_fn)(uintptr_t pool, uintptr_t resource);
typedef struct pool_lend {
    size_t struct_size;
    uintptr_t resource;
    uint64_t ms;
    uint64_t uses;
    uint64_t thread;
    const char *tag;
    uint64_t lease;
} pool_lend_t;
typedef void (*pool_leaked_fn)(uintptr_t pool, const pool_lend_t *lend);
typedef struct pool_fcall_s pool_fcall_t;
struct pool_fcall_s {
    bool (*invoke)(pool_fcall_t *fcall, uintptr_t pool, uintptr_t *resource);
    void (*dispose)(pool_fcall_t *fcall);
    uintptr_t data;
};
typedef struct pool_error_s {
    int code;
    const char *message;
} pool_error_t;
typedef struct pool_circuit_breaker_strategy_s {
    void (*report_success)(uintptr_t pool, uintptr_t ctx);
    void (*report_failure)(uintptr_t pool, const pool_error_t *error, uintptr_t ctx);
    bool (*should_recover)(uintptr_t pool, uintptr_t ctx);
    uintptr_t ctx;
    void (*report_create_failure)(uintptr_t pool, const pool_error_t *error, uintptr_t ctx);
} pool_circuit_breaker_strategy_t;
typedef enum pool_event_kind {
    POOL_EVENT_AVAILABLE = 0,
    POOL_EVENT_CLOSED = 1
} pool_event_kind_t;
typedef struct pool_event_s pool_event_t;
typedef struct pool_event_callback_s pool_event_callback_t;
struct pool_event_callback_s {
    void (*callback)(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind);
    void (*dispose)(pool_event_callback_t *self);
    uintptr_t data;
};
struct pool_event_s {
    uint32_t flags;
    uint32_t ref_count;
    uint32_t callback_count;
    uint32_t reserved;
    uintptr_t callbacks;
    pool_status_t (*add_callback)(pool_event_t *event, pool_event_callback_t *callback);
    pool_status_t (*del_callback)(pool_event_t *event, pool_event_callback_t *callback);
    void (*start)(pool_event_t *event);
    void (*stop)(pool_event_t *event);
    void (*dispose)(pool_event_t *event);
    int (*info)(pool_event_t *event, char *buffer, size_t size);
};
struct pool_s {
    pool_event_t event;
    uint8_t handler_flags;
    pool_circuit_state_t circuit_state;
    uint32_t min_size;
    uint32_t max_size;
    uintptr_t wrapper;
    union {
        pool_fcall_t *fcall;
        pool_factory_fn internal;
    } factory;
    union {
        pool_fcall_t *fcall;
        pool_destructor_fn internal;
    } destructor;
    union {
        pool_fcall_t *fcall;
        pool_healthcheck_fn internal;
    } healthcheck;
    union {
        pool_fcall_t *fcall;
        pool_before_acquire_fn internal;
    } before_acquire;
    union {
        pool_fcall_t *fcall;
        pool_before_release_fn internal;
    } before_release;
    union {
        uintptr_t object;
        pool_circuit_breaker_strategy_t *internal;
    } strategy;
    uintptr_t user_data;
};
typedef struct pool_scheduler {
    bool (*suspend)(uintptr_t ctx, uintptr_t op);
    void (*resume)(uintptr_t ctx, uintptr_t op);
    uintptr_t ctx;
} pool_scheduler_t;
typedef struct pool_config {
    size_t struct_size;
    const char *name;
    pool_factory_fn factory;
    pool_destructor_fn destructor;
    pool_healthcheck_fn healthcheck;
    pool_before_acquire_fn before_acquire;
    pool_before_release_fn before_release;
    uintptr_t user_data;
    uint32_t min_size;
    uint32_t max_size;
    uint32_t healthcheck_interval_ms;
    uint32_t flags;
    uint32_t recovering_limit;
    uint32_t asks;
    const pool_scheduler_t *scheduler;
    pool_fcall_t *factory_fcall;
    pool_fcall_t *destructor_fcall;
    pool_fcall_t *healthcheck_fcall;
    pool_fcall_t *before_acquire_fcall;
    pool_fcall_t *before_release_fcall;
    uint32_t max_waiting;
    uint32_t create_retry_ms;
    uint32_t create_retry_max_ms;
    uint32_t max_lifetime_ms;
    uint32_t lifetime_jitter_ms;
    uint32_t idle_timeout_ms;
    uint32_t max_uses;
    uint32_t check_after_ms;
    uint32_t min_idle;
    uint32_t leak_after_ms;
    pool_leaked_fn leaked;
    pool_fcall_t *leaked_fcall;
} pool_config_t;
uintptr_t pool_create_internal(pool_factory_fn factory, pool_destructor_fn destructor, pool_healthcheck_fn healthcheck, pool_before_acquire_fn before_acquire, pool_before_release_fn before_release, uint32_t min_size, uint32_t max_size, uint32_t healthcheck_interval_ms);
uintptr_t pool_create(pool_fcall_t *factory, pool_fcall_t *destructor, pool_fcall_t *healthcheck, pool_fcall_t *before_acquire, pool_fcall_t *before_release, uint32_t min_size, uint32_t max_size, uint32_t healthcheck_interval_ms);
pool_status_t pool_create_ex(const pool_config_t *config, uintptr_t *out);
uintptr_t pool_ref(uintptr_t pool);
void pool_unref(uintptr_t pool);
pool_status_t pool_acquire(uintptr_t pool, uintptr_t *resource, int64_t timeout_ms);
pool_status_t pool_try_acquire(uintptr_t pool, uintptr_t *resource);
uintptr_t pool_take(uintptr_t pool);
pool_status_t pool_give(uintptr_t pool, uintptr_t resource);
pool_status_t pool_release(uintptr_t pool, uintptr_t resource);
pool_status_t pool_discard(uintptr_t pool, uintptr_t resource);
pool_status_t pool_detach(uintptr_t pool, uintptr_t resource);
typedef struct pool_lease {
    uintptr_t resource;
    uint64_t id;
} pool_lease_t;
pool_status_t pool_acquire_lease(uintptr_t pool, pool_lease_t *lease, int64_t timeout_ms);
pool_status_t pool_try_acquire_lease(uintptr_t pool, pool_lease_t *lease);
pool_status_t pool_release_lease(uintptr_t pool, const pool_lease_t *lease);
pool_status_t pool_discard_lease(uintptr_t pool, const pool_lease_t *lease);
pool_status_t pool_detach_lease(uintptr_t pool, const pool_lease_t *lease);
pool_status_t pool_evict(uintptr_t pool);
pool_status_t pool_resize(uintptr_t pool, uint32_t min_size, uint32_t max_size);
pool_status_t pool_trim(uintptr_t pool, uint32_t keep_idle);
pool_status_t pool_close(uintptr_t pool);
pool_status_t pool_drain(uintptr_t pool, int64_t timeout_ms);
bool pool_is_closed(uintptr_t pool);
uint32_t pool_count(uintptr_t pool);
uint32_t pool_idle_count(uintptr_t pool);
uint32_t pool_active_count(uintptr_t pool);
uint32_t pool_waiting_count(uintptr_t pool);
typedef struct pool_snapshot {
    size_t struct_size;
    uint32_t idle;
    uint32_t active;
    uint32_t reserved;
    uint32_t waiting;
    uint32_t max;
    pool_circuit_state_t state;
    bool closed;
} pool_snapshot_t;
pool_status_t pool_snapshot(uintptr_t pool, pool_snapshot_t *snapshot);
typedef struct pool_resource_info {
    size_t struct_size;
    uint64_t age_ms;
    uint64_t idle_ms;
    uint64_t uses;
    const char *tag;
} pool_resource_info_t;
pool_status_t pool_resource_info(uintptr_t pool, uintptr_t resource, pool_resource_info_t *info);
uint32_t pool_lends(uintptr_t pool, pool_lend_t *lends, uint32_t n);
void pool_tag(const char *tag);
typedef struct pool_stats {
    size_t struct_size;
    uint64_t lends;
    uint64_t waited;
    uint64_t timeouts;
    uint64_t unavailable;
    uint64_t overloaded;
    uint64_t cancelled;
    uint64_t created;
    uint64_t failed;
    uint64_t detached;
    uint64_t destroyed;
    uint32_t count;
    uint32_t making;
    uint64_t destroyed_rejected;
    uint64_t destroyed_refused;
    uint64_t destroyed_dead;
    uint64_t destroyed_lifetime;
    uint64_t destroyed_idle;
    uint64_t destroyed_uses;
    uint64_t destroyed_evicted;
    uint64_t destroyed_discarded;
    uint64_t destroyed_shrunk;
    uint64_t destroyed_closed;
    uint64_t leaked;
    uint32_t peak_active;
    uint32_t peak_waiting;
    uint64_t wait_us;
    uint64_t create_us;
    uint64_t hold_us;
    uint64_t wait_histogram[32];
    uint64_t create_histogram[32];
    uint64_t hold_histogram[32];
} pool_stats_t;
pool_status_t pool_stats(uintptr_t pool, pool_stats_t *stats);
size_t pool_metrics(char *buffer, size_t size);
size_t pool_describe(uintptr_t pool, char *buffer, size_t size);
uint32_t pool_debug_live(void);
uint64_t pool_debug_crossings(void);
pool_circuit_state_t pool_state(uintptr_t pool);
pool_status_t pool_activate(uintptr_t pool);
pool_status_t pool_deactivate(uintptr_t pool);
pool_status_t pool_recover(uintptr_t pool);
pool_status_t pool_set_strategy(uintptr_t pool, pool_circuit_breaker_strategy_t *strategy);
pool_status_t pool_strategy_threshold(uintptr_t pool, uint32_t failures, uint32_t open_ms, uint32_t successes);
pool_status_t pool_strategy_threshold_on(uintptr_t pool, uint32_t what, uint32_t failures, uint32_t open_ms, uint32_t successes);
pool_status_t pool_set_error(uintptr_t pool, int code, const char *message);
int64_t pool_time_left_ms(uintptr_t pool);
pool_status_t pool_try_later(uintptr_t pool, uint32_t ms);
pool_status_t pool_last_error(int *code, char *message, size_t size);
const char *pool_strerror(pool_status_t status);
const char *pool_status_name(pool_status_t status);
const char *pool_version(void);
uint32_t pool_abi_version(void);
typedef enum pool_ask_kind {
    POOL_ASK_DONE = 0,
    POOL_ASK_CREATE = 1,
    POOL_ASK_BEFORE_ACQUIRE = 2,
    POOL_ASK_BEFORE_RELEASE = 3,
    POOL_ASK_DESTROY = 4,
    POOL_ASK_WAIT = 5,
    POOL_ASK_HEALTHCHECK = 6,
    POOL_ASK_REPORT_SUCCESS = 7,
    POOL_ASK_REPORT_FAILURE = 8,
    POOL_ASK_SHOULD_RECOVER = 9,
    POOL_ASK_LEAKED = 10
} pool_ask_kind_t;
typedef struct pool_ask {
    size_t struct_size;
    pool_ask_kind_t kind;
    pool_status_t status;
    uintptr_t resource;
    int64_t until_ns;
    uint64_t ticket;
    uint64_t turn;
    uint64_t lease;
    const pool_lend_t *lend;
} pool_ask_t;
typedef struct pool_answer {
    size_t struct_size;
    bool ok;
    uintptr_t resource;
    int64_t now_ns;
    int64_t later_ns;
} pool_answer_t;
pool_status_t pool_op_acquire(uintptr_t pool, uintptr_t op, int64_t timeout_ms);
pool_status_t pool_op_try_acquire(uintptr_t pool, uintptr_t op);
pool_status_t pool_op_release(uintptr_t pool, uintptr_t op, uintptr_t resource);
pool_status_t pool_op_release_lease(uintptr_t pool, uintptr_t op, const pool_lease_t *lease);
pool_status_t pool_op_discard(uintptr_t pool, uintptr_t op, uintptr_t resource);
pool_status_t pool_op_detach(uintptr_t pool, uintptr_t op, uintptr_t resource);
pool_status_t pool_op_discard_lease(uintptr_t pool, uintptr_t op, const pool_lease_t *lease);
pool_status_t pool_op_detach_lease(uintptr_t pool, uintptr_t op, const pool_lease_t *lease);
pool_status_t pool_op_drain(uintptr_t pool, uintptr_t op, int64_t timeout_ms);
pool_status_t pool_op_evict(uintptr_t pool, uintptr_t op);
pool_status_t pool_op_resize(uintptr_t pool, uintptr_t op, uint32_t min_size, uint32_t max_size);
pool_status_t pool_op_trim(uintptr_t pool, uintptr_t op, uint32_t keep_idle);
pool_status_t pool_op_close(uintptr_t pool, uintptr_t op);
pool_status_t pool_op_fill(uintptr_t pool, uintptr_t op);
pool_status_t pool_op_sweep(uintptr_t pool, uintptr_t op);
pool_status_t pool_op_create_behind(uintptr_t pool, uintptr_t op);
uint32_t pool_creations_due(uintptr_t pool);
pool_ask_kind_t pool_op_next(uintptr_t op, const pool_answer_t *answer, pool_ask_t *ask);
pool_status_t pool_op_wait(uintptr_t op, int64_t until_ns);
int64_t pool_op_until_ns(uintptr_t op);
uintptr_t pool_op_woken(uintptr_t pool);
bool pool_op_join(uintptr_t pool, uintptr_t op, int64_t timeout_ms);
uintptr_t pool_op_take(uintptr_t op);
uintptr_t pool_hand_on(uintptr_t pool, uintptr_t resource);
pool_status_t pool_set_asks(uintptr_t pool, uint32_t asks);
pool_status_t pool_op_cancel(uintptr_t op);
typedef void (*pool_acquired_fn)(uintptr_t op, pool_status_t status, uintptr_t resource, uintptr_t data);
pool_status_t pool_acquire_async(uintptr_t pool, uintptr_t op, int64_t timeout_ms, pool_acquired_fn callback, uintptr_t data);
int pool_fd(uintptr_t pool);
int64_t pool_next_timeout(uintptr_t pool);
pool_status_t pool_dispatch(uintptr_t pool);
uintptr_t pool_reactor_create(void);
void pool_reactor_unref(uintptr_t reactor);
pool_status_t pool_reactor_attach(uintptr_t reactor, uintptr_t pool);
pool_status_t pool_reactor_acquire(uintptr_t reactor, uintptr_t pool, uintptr_t op, int64_t timeout_ms, pool_acquired_fn callback, uintptr_t data);
int pool_reactor_fd(uintptr_t reactor);
int64_t pool_reactor_next_timeout(uintptr_t reactor);
pool_status_t pool_reactor_dispatch(uintptr_t reactor);
typedef uintptr_t (*pool_wrapper_fn)(uintptr_t pool);
typedef struct pool_api {
    size_t struct_size;
    uint32_t abi_version;
    uint32_t reserved;
    uintptr_t (*create_internal)(pool_factory_fn factory, pool_destructor_fn destructor, pool_healthcheck_fn healthcheck, pool_before_acquire_fn before_acquire, pool_before_release_fn before_release, uint32_t min_size, uint32_t max_size, uint32_t healthcheck_interval_ms);
    uintptr_t (*create)(pool_fcall_t *factory, pool_fcall_t *destructor, pool_fcall_t *healthcheck, pool_fcall_t *before_acquire, pool_fcall_t *before_release, uint32_t min_size, uint32_t max_size, uint32_t healthcheck_interval_ms);
    pool_status_t (*create_ex)(const pool_config_t *config, uintptr_t *out);
    uintptr_t (*new_object)(uintptr_t pool);
    pool_status_t (*acquire)(uintptr_t pool, uintptr_t *resource, int64_t timeout_ms);
    pool_status_t (*try_acquire)(uintptr_t pool, uintptr_t *resource);
    pool_status_t (*release)(uintptr_t pool, uintptr_t resource);
    pool_status_t (*close)(uintptr_t pool);
    bool (*is_closed)(uintptr_t pool);
    uintptr_t (*ref)(uintptr_t pool);
    void (*unref)(uintptr_t pool);
    pool_status_t (*snapshot)(uintptr_t pool, pool_snapshot_t *snapshot);
    pool_circuit_state_t (*state)(uintptr_t pool);
    pool_status_t (*activate)(uintptr_t pool);
    pool_status_t (*deactivate)(uintptr_t pool);
    pool_status_t (*recover)(uintptr_t pool);
    pool_status_t (*set_strategy)(uintptr_t pool, pool_circuit_breaker_strategy_t *strategy);
    pool_status_t (*set_error)(uintptr_t pool, int code, const char *message);
    pool_status_t (*last_error)(int *code, char *message, size_t size);
    const char *(*strerror)(pool_status_t status);
    uintptr_t (*take)(uintptr_t pool);
    uint32_t (*count)(uintptr_t pool);
    uint32_t (*idle_count)(uintptr_t pool);
    uint32_t (*active_count)(uintptr_t pool);
    uint32_t (*waiting_count)(uintptr_t pool);
    uint32_t (*debug_live)(void);
    uint64_t (*debug_crossings)(void);
    pool_status_t (*strategy_threshold)(uintptr_t pool, uint32_t failures, uint32_t open_ms, uint32_t successes);
    const char *(*status_name)(pool_status_t status);
    const char *(*version)(void);
    pool_status_t (*op_acquire)(uintptr_t pool, uintptr_t op, int64_t timeout_ms);
    pool_status_t (*op_try_acquire)(uintptr_t pool, uintptr_t op);
    pool_status_t (*op_release)(uintptr_t pool, uintptr_t op, uintptr_t resource);
    pool_status_t (*op_close)(uintptr_t pool, uintptr_t op);
    pool_status_t (*op_fill)(uintptr_t pool, uintptr_t op);
    pool_status_t (*op_sweep)(uintptr_t pool, uintptr_t op);
    pool_ask_kind_t (*op_next)(uintptr_t op, const pool_answer_t *answer, pool_ask_t *ask);
    pool_status_t (*op_wait)(uintptr_t op, int64_t until_ns);
    int64_t (*op_until_ns)(uintptr_t op);
    uintptr_t (*op_woken)(uintptr_t pool);
    bool (*op_join)(uintptr_t pool, uintptr_t op, int64_t timeout_ms);
    uintptr_t (*op_take)(uintptr_t op);
    uintptr_t (*hand_on)(uintptr_t pool, uintptr_t resource);
    pool_status_t (*set_asks)(uintptr_t pool, uint32_t asks);
    pool_status_t (*op_cancel)(uintptr_t op);
    pool_status_t (*acquire_async)(uintptr_t pool, uintptr_t op, int64_t timeout_ms, pool_acquired_fn callback, uintptr_t data);
    int (*fd)(uintptr_t pool);
    int64_t (*next_timeout)(uintptr_t pool);
    pool_status_t (*dispatch)(uintptr_t pool);
    uintptr_t (*reactor_create)(void);
    void (*reactor_unref)(uintptr_t reactor);
    pool_status_t (*reactor_attach)(uintptr_t reactor, uintptr_t pool);
    pool_status_t (*reactor_acquire)(uintptr_t reactor, uintptr_t pool, uintptr_t op, int64_t timeout_ms, pool_acquired_fn callback, uintptr_t data);
    int (*reactor_fd)(uintptr_t reactor);
    int64_t (*reactor_next_timeout)(uintptr_t reactor);
    pool_status_t (*reactor_dispatch)(uintptr_t reactor);
    pool_status_t (*register_wrapper)(pool_wrapper_fn wrapper);
    pool_status_t (*discard)(uintptr_t pool, uintptr_t resource);
    pool_status_t (*detach)(uintptr_t pool, uintptr_t resource);
    pool_status_t (*op_discard)(uintptr_t pool, uintptr_t op, uintptr_t resource);
    pool_status_t (*op_detach)(uintptr_t pool, uintptr_t op, uintptr_t resource);
    pool_status_t (*resize)(uintptr_t pool, uint32_t min_size, uint32_t max_size);
    pool_status_t (*op_resize)(uintptr_t pool, uintptr_t op, uint32_t min_size, uint32_t max_size);
    pool_status_t (*evict)(uintptr_t pool);
    pool_status_t (*op_evict)(uintptr_t pool, uintptr_t op);
    int64_t (*time_left_ms)(uintptr_t pool);
    pool_status_t (*strategy_threshold_on)(uintptr_t pool, uint32_t what, uint32_t failures, uint32_t open_ms, uint32_t successes);
    pool_status_t (*drain)(uintptr_t pool, int64_t timeout_ms);
    pool_status_t (*op_drain)(uintptr_t pool, uintptr_t op, int64_t timeout_ms);
    pool_status_t (*stats)(uintptr_t pool, pool_stats_t *stats);
    size_t (*metrics)(char *buffer, size_t size);
    pool_status_t (*try_later)(uintptr_t pool, uint32_t ms);
    pool_status_t (*resource_info)(uintptr_t pool, uintptr_t resource, pool_resource_info_t *info);
    size_t (*describe)(uintptr_t pool, char *buffer, size_t size);
    pool_status_t (*acquire_lease)(uintptr_t pool, pool_lease_t *lease, int64_t timeout_ms);
    pool_status_t (*try_acquire_lease)(uintptr_t pool, pool_lease_t *lease);
    pool_status_t (*release_lease)(uintptr_t pool, const pool_lease_t *lease);
    pool_status_t (*discard_lease)(uintptr_t pool, const pool_lease_t *lease);
    pool_status_t (*detach_lease)(uintptr_t pool, const pool_lease_t *lease);
    pool_status_t (*op_release_lease)(uintptr_t pool, uintptr_t op, const pool_lease_t *lease);
    pool_status_t (*op_discard_lease)(uintptr_t pool, uintptr_t op, const pool_lease_t *lease);
    pool_status_t (*op_detach_lease)(uintptr_t pool, uintptr_t op, const pool_lease_t *lease);
    uint32_t (*lends)(uintptr_t pool, pool_lend_t *lends, uint32_t n);
    void (*tag)(const char *tag);
    pool_status_t (*op_create_behind)(uintptr_t pool, uintptr_t op);
    uint32_t (*creations_due)(uintptr_t pool);
    pool_status_t (*give)(uintptr_t pool, uintptr_t resource);
    pool_status_t (*trim)(uintptr_t pool, uint32_t keep_idle);
    pool_status_t (*op_trim)(uintptr_t pool, uintptr_t op, uint32_t keep_idle);
} pool_api_t;
const pool_api_t *pool_api(uint32_t abi_version);
pool_status_t pool_register_wrapper(pool_wrapper_fn wrapper);
uintptr_t pool_new_object(uintptr_t pool);
