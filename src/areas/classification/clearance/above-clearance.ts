import type { Role } from '../../../engines/identity/index.ts'
import { Problem } from '../../../errors.ts'
import type { RoleClearance } from './label-cache.ts'
import type { Label } from './labels.ts'

interface Above {
  /** What was asked for. */
  readonly data: string
  readonly label: Label
  /** Whether the caller is told what exactly has the label: other data beside or in those asked for may have secret names. */
  readonly isNamed: boolean
  readonly clearance: RoleClearance
  readonly role: Role | undefined
}

/** A refusal that says what is classified, how, and whom to ask. */
export function aboveClearance({ data, label, isNamed, clearance, role }: Above): Problem {
  const { level } = label
  const resource = isNamed ? label.resource : data
  const columns = isNamed ? label.columns : []
  const what = columns.length === 0 ? resource : `${columns.slice(0, 5).join(', ')} in ${resource}`
  const own = clearanceInWords(clearance)
  const detail = `${isNamed ? what : `Something in ${data}`} is classified ${level}, and ${role === undefined ? 'you' : `the role ${role}`} may see ${own}. Ask an administrator for a role whose clearance includes ${level}, or for a copy without what is classified.`
  const facts = {
    resource,
    level,
    clearance: clearance.level,
    ...(columns.length > 0 && { columns: columns.slice(0, 20) })
  }
  const labelled = label.resource === '' ? data : label.resource
  return new Problem('above_clearance', { detail, members: facts, audited: { data, ...facts, resource: labelled } })
}

export function clearanceInWords({ level, rank }: RoleClearance): string {
  if (level !== null) return `data up to ${level}`
  return rank === Number.POSITIVE_INFINITY ? 'data of every level' : 'only data without a level'
}
