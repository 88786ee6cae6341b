import type { BusEvent, Events, EventType } from '../engines/bus/index.ts'

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

/** What those who hear of the change are told beside its identifier. */
type Told<P> = keyof P extends never ? { readonly event?: undefined } : { readonly event: Readonly<P> }

type NounOf<T extends EventType, Verb extends string> = T extends `${infer N}.${Verb}` ? N : never

/** Nouns whose events say the identifier alone. */
type Plain<Verb extends string> = {
  [T in EventType]: keyof Events[T] extends 'id' ? NounOf<T, Verb> : never
}[EventType]

export type Created = Plain<'created'>
export type Updated = Plain<'updated'>
export type Deleted = Plain<'deleted'>

/** What is told of a change, once it is committed. */
export function eventOf(change: Change): BusEvent {
  const { type, id, event } = change
  return { ...event, type: `${type}.${verbOf(change)}`, id } as BusEvent
}

function verbOf({ before, after }: Change): 'created' | 'updated' | 'deleted' {
  if (before === undefined) return 'created'
  return after === undefined ? 'deleted' : 'updated'
}
