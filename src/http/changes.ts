import type { Bus, BusEvent, Events, EventType } from '../engines/bus/index.ts'
import type { Db } from '../engines/metadata/index.ts'
import { type AuditEntry, type AuditTrail, fieldChanges } from './audit-trail.ts'

/**
 * What a change did, in terms of the resource as the API shows it. What it says is told to others as an event, so there
 * is a kind of change for every event that is declared, and for nothing else.
 */
export type Change = { [T in EventType]: ChangeOf<T> }[EventType]

type ChangeOf<T extends EventType> = T extends `${infer N}.created`
  ? About<N, T> & { readonly before?: undefined; readonly after: object }
  : T extends `${infer N}.updated`
    ? About<N, T> & { readonly before: object; readonly after: object }
    : T extends `${infer N}.deleted`
      ? About<N, T> & { readonly before: object; readonly after?: undefined }
      : never

type About<N, T extends EventType> = {
  /** Singular noun: `api-key`. */
  readonly type: N
  readonly id: string
} & Told<Omit<Events[T], 'id'>>

/** What the event of a change says beside the identifier. */
type Told<P> = keyof P extends never ? { readonly event?: undefined } : { readonly event: Readonly<P> }

type NounOf<T extends EventType, Verb extends string> = T extends `${infer N}.${Verb}` ? N : never

/** Nouns whose events say nothing but the identifier. */
type Plain<Verb extends string> = {
  [T in EventType]: keyof Events[T] extends 'id' ? NounOf<T, Verb> : never
}[EventType]

export type Created = Plain<'created'>
export type Updated = Plain<'updated'>
export type Deleted = Plain<'deleted'>

/** Who brought a change about and how, as the audit trail tells it. */
export type Cause = Pick<AuditEntry, 'user' | 'apiKey' | 'action' | 'status' | 'ip' | 'userAgent' | 'requestId'>

/** Writes the audit rows of changes, in the transaction that makes them. */
export async function recordChanges(
  tx: Db,
  audit: AuditTrail,
  changes: readonly Change[],
  cause: Cause
): Promise<void> {
  for (const { type, id, before, after } of changes) {
    await audit.append(tx, {
      ...cause,
      resourceType: type,
      resourceId: id,
      outcome: 'success',
      code: null,
      changes: fieldChanges(before, after)
    })
  }
}

/** Publishes the events of changes; to be called once they are committed. */
export function tellChanges(bus: Bus, changes: readonly Change[]): void {
  for (const change of changes) bus.publish(eventOf(change))
}

function eventOf(change: Change): BusEvent {
  const { type, id, event } = change
  return { ...event, type: `${type}.${verbOf(change)}`, id } as BusEvent
}

function verbOf({ before, after }: Change): 'created' | 'updated' | 'deleted' {
  if (before === undefined) return 'created'
  return after === undefined ? 'deleted' : 'updated'
}
