// Package cfast lets tests call what the C driver does without the core: bridge/fast_op.h, and what that includes, as
// it stands. The files here are links, so that the go command sees when one changes. It is no part of the library.
//
// What is passed is addresses, and the C code follows the pointers that it finds there and stores others. So
// all of it must be memory of [Alloc]: states, ops and what a [core.Memory] gives out.
package cfast

/*
#cgo CFLAGS: -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I${SRCDIR}/../../../bridge
#include "fast_op.h"

#include <stdlib.h>

// What needs memory, or numbers, is left to the core: tests have both of their own.
uint64_t ap__lease_room(ap_registry_t *g, uint32_t i)
{
	(void)g, (void)i;
	return 0;
}

static uintptr_t fast_take(uintptr_t state)
{
	void *resource = NULL;
	return ap__fast_take((ap_state_t *)state, &resource) ? (uintptr_t)resource : 0;
}

// Which of the short ways is the pool's?
static bool aged(uintptr_t state) { return ap__has_ages((ap_state_t *)state); }

static uintptr_t fast_take_short(uintptr_t state)
{
	void *resource = NULL;
	return ap__fast_take_short((ap_state_t *)state, &resource, aged(state)) ? (uintptr_t)resource : 0;
}

static bool fast_give(uintptr_t state, uintptr_t resource)
{
	return ap__fast_give((ap_state_t *)state, (void *)resource);
}

static bool fast_give_short(uintptr_t state, uintptr_t resource)
{
	ap_state_t *st = (ap_state_t *)state;
	return ap__fast_give_short(st, (void *)resource, ap__registry_hash(st->registry.seed, resource), aged(state));
}

static uint64_t fast_take_lease(uintptr_t state, uintptr_t *resource)
{
	pool_lease_t lease = {NULL, 0};
	bool done = ap__fast_take_lease((ap_state_t *)state, &lease);
	*resource = (uintptr_t)lease.resource;
	return done ? lease.id : 0;
}

static uint64_t fast_take_lease_short(uintptr_t state, uintptr_t *resource)
{
	pool_lease_t lease = {NULL, 0};
	bool done = ap__fast_take_lease_short((ap_state_t *)state, &lease, aged(state));
	*resource = (uintptr_t)lease.resource;
	return done ? lease.id : 0;
}

static bool fast_give_lease(uintptr_t state, uint64_t id) { return ap__fast_give_lease((ap_state_t *)state, id); }

static bool fast_give_lease_short(uintptr_t state, uint64_t id)
{
	return ap__fast_give_lease_short((ap_state_t *)state, id, aged(state));
}

// The op says whose pool it is only for as long as this takes: tests keep something else there.
static bool fast_step(uintptr_t state, uintptr_t op, bool ok, int64_t now)
{
	ap_op_t *o = (ap_op_t *)op;
	ap_pool_t *host = o->pool;
	o->pool = (ap_pool_t *)(state - offsetof(ap_pool_t, state));
	bool done = ap__fast_step(o, ok, now);
	o->pool = host;
	return done;
}

static uint32_t places_due(uintptr_t state) { return ap__places_due((const ap_state_t *)state); }
static uint32_t places_free(uintptr_t state) { return ap__places_free((const ap_state_t *)state); }

static bool fast_cancel(uintptr_t state, uintptr_t op)
{
	ap_op_t *o = (ap_op_t *)op;
	ap_pool_t *host = o->pool;
	o->pool = (ap_pool_t *)(state - offsetof(ap_pool_t, state));
	bool done = ap__fast_cancel(o);
	o->pool = host;
	return done;
}
*/
import "C"

import (
	"unsafe"

	"asyncpool/pool/core"
)

// Alloc gives out zeroed memory of C, to be given back to [Free].
func Alloc(size uintptr) unsafe.Pointer { return C.calloc(1, C.size_t(size)) }

// Free takes memory back.
func Free(memory unsafe.Pointer) { C.free(memory) }

// Take takes the oldest idle resource; 0: the core must decide.
func Take(st *core.State) uintptr {
	return uintptr(C.fast_take(address(unsafe.Pointer(st))))
}

// TakeShort is the short way of Take.
func TakeShort(st *core.State) uintptr {
	return uintptr(C.fast_take_short(address(unsafe.Pointer(st))))
}

// Give gives a lent resource back; false: the core must decide.
func Give(st *core.State, word uintptr) bool {
	return bool(C.fast_give(address(unsafe.Pointer(st)), C.uintptr_t(word)))
}

// GiveShort is the short way of Give.
func GiveShort(st *core.State, word uintptr) bool {
	return bool(C.fast_give_short(address(unsafe.Pointer(st)), C.uintptr_t(word)))
}

// TakeLease takes the oldest idle resource by lease; id 0: the core must decide.
func TakeLease(st *core.State) (word uintptr, id uint64) {
	id = uint64(C.fast_take_lease(address(unsafe.Pointer(st)), (*C.uintptr_t)(unsafe.Pointer(&word))))
	return word, id
}

// TakeLeaseShort is the short way of TakeLease.
func TakeLeaseShort(st *core.State) (word uintptr, id uint64) {
	id = uint64(C.fast_take_lease_short(address(unsafe.Pointer(st)), (*C.uintptr_t)(unsafe.Pointer(&word))))
	return word, id
}

// GiveLease gives back by lease; false: the core must decide.
func GiveLease(st *core.State, id uint64) bool {
	return bool(C.fast_give_lease(address(unsafe.Pointer(st)), C.uint64_t(id)))
}

// GiveLeaseShort is the short way of GiveLease.
func GiveLeaseShort(st *core.State, id uint64) bool {
	return bool(C.fast_give_lease_short(address(unsafe.Pointer(st)), C.uint64_t(id)))
}

// Step is one step of an op, with the answer to its ask; false: the core must decide.
func Step(st *core.State, op *core.Op, ok bool, now int64) bool {
	return bool(C.fast_step(address(unsafe.Pointer(st)), address(unsafe.Pointer(op)), C.bool(ok), C.int64_t(now)))
}

// Cancel ends an op that waits in line; false: the core must decide.
func Cancel(st *core.State, op *core.Op) bool {
	return bool(C.fast_cancel(address(unsafe.Pointer(st)), address(unsafe.Pointer(op))))
}

// Due is how many creations behind shall begin.
func Due(st *core.State) uint32 { return uint32(C.places_due(address(unsafe.Pointer(st)))) }

// FreePlaces is how many places are free for who comes.
func FreePlaces(st *core.State) uint32 { return uint32(C.places_free(address(unsafe.Pointer(st)))) }

func address(p unsafe.Pointer) C.uintptr_t { return C.uintptr_t(uintptr(p)) }
