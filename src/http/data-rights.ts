import type { DataReference } from '../data/reference.ts'
import { Problem } from '../errors.ts'
import { type Actor, can, type Permission } from './permissions.ts'

const NEEDED: Partial<Record<DataReference['scheme'], readonly Permission[]>> = {
  object: ['buckets:read'],
  series: ['catalog:read'],
  connector: ['connectors:read'],
  pipeline: ['pipelines:read', 'buckets:read', 'catalog:read']
}

const lackingOf = (actor: Actor, { scheme }: DataReference): Permission | undefined =>
  NEEDED[scheme]?.find((needed) => !can(actor, needed))

export const mayRead = (actor: Actor, reference: DataReference): boolean => lackingOf(actor, reference) === undefined

/** Refuses callers who may not read the data. */
export function requireRead(actor: Actor, reference: DataReference): void {
  const permission = lackingOf(actor, reference)
  if (permission !== undefined) throw new Problem('permission_denied', { members: { permission } })
}
