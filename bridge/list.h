/*
 * Queues of ops, linked through themselves: pool/core/list.go in C, for the same lists. Under the lock.
 */
#ifndef ASYNCPOOL_LIST_H
#define ASYNCPOOL_LIST_H

#include "internal.h"

static inline void ap__list_push(ap_list_t *list, ap_op_t *op, uint8_t name)
{
    op->list = name;
    op->next = NULL;
    op->prev = list->tail;
    if (list->tail)
        list->tail->next = op;
    else
        list->head = op;
    list->tail = op;
}

static inline void ap__list_remove(ap_list_t *list, ap_op_t *op)
{
    if (op->prev)
        op->prev->next = op->next;
    else
        list->head = op->next;
    if (op->next)
        op->next->prev = op->prev;
    else
        list->tail = op->prev;
    op->next = op->prev = NULL;
    op->list = AP_LIST_NONE;
}

/* The same for those who were promised a place, whose links are others: pool/core/reservations.go. */
static inline void ap__reservations_push(ap_reservations_t *list, ap_op_t *op)
{
    op->later = NULL;
    op->earlier = list->tail;
    if (list->tail)
        list->tail->later = op;
    else
        list->head = op;
    list->tail = op;
}

static inline void ap__reservations_remove(ap_reservations_t *list, ap_op_t *op)
{
    if (op->earlier)
        op->earlier->later = op->later;
    else
        list->head = op->later;
    if (op->later)
        op->later->earlier = op->earlier;
    else
        list->tail = op->earlier;
    op->later = op->earlier = NULL;
}

static inline ap_op_t *ap__list_pop(ap_list_t *list)
{
    ap_op_t *op = list->head;
    if (op)
        ap__list_remove(list, op);
    return op;
}

#endif
