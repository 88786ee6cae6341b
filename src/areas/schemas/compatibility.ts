import type { Db } from '../../engines/metadata/index.ts'
import type { CheckRequest, Direction, Finding, Named, TaskRunner } from '../../engines/schemas/index.ts'
import { sourceOfVersion, type Unparsed } from './candidates.ts'
import type { CompatibilityMode } from './schema.ts'
import { withFaults } from './schema-problems.ts'
import { type FullVersion, historyOf } from './version-store.ts'

export interface Violation {
  readonly path: string
  readonly rule: string
  readonly message: string
  readonly version: number
  readonly direction: Direction
}

export interface Verdict {
  readonly compatible: boolean
  readonly mode: CompatibilityMode
  readonly checkedAgainst: number[]
  readonly violations: Violation[]
}

const DIRECTIONS: Record<CompatibilityMode, readonly Direction[]> = {
  NONE: [],
  BACKWARD: ['backward'],
  BACKWARD_TRANSITIVE: ['backward'],
  FORWARD: ['forward'],
  FORWARD_TRANSITIVE: ['forward'],
  FULL: ['backward', 'forward'],
  FULL_TRANSITIVE: ['backward', 'forward']
}

/** The versions that a new one is held against: the last, or with a transitive mode all of them. */
export async function versionsToCheck(db: Db, schemaId: string, mode: CompatibilityMode): Promise<FullVersion[]> {
  if (mode === 'NONE') return []
  return historyOf(db, schemaId, mode.endsWith('_TRANSITIVE') ? 'all' : 'last')
}

export interface PreparedCheck {
  readonly mode: CompatibilityMode
  readonly versions: readonly FullVersion[]
  readonly request: CheckRequest
}

export async function prepareCheck(
  db: Db,
  candidate: Unparsed,
  mode: CompatibilityMode,
  versions: readonly FullVersion[],
  name = 'the new version'
): Promise<PreparedCheck> {
  const against: Named[] = []
  for (const version of versions) {
    against.push({ name: `version ${version.number}`, type: version.type, source: await sourceOfVersion(db, version) })
  }
  const { type, source } = candidate
  return { mode, versions, request: { candidate: { name, type, source }, against, directions: DIRECTIONS[mode] } }
}

export async function check(tasks: TaskRunner, prepared: PreparedCheck): Promise<Verdict> {
  return toVerdict(prepared, await withFaults(() => tasks.run('check', prepared.request)))
}

/** The verdict, if the task is small enough to run at once on this thread; undefined otherwise. */
export function checkNow(tasks: TaskRunner, prepared: PreparedCheck): Verdict | undefined {
  const findings = tasks.now('check', prepared.request)
  return findings && toVerdict(prepared, findings)
}

function toVerdict({ mode, versions }: PreparedCheck, findings: readonly Finding[]): Verdict {
  const violations = findings.map(({ against, direction, path, rule, message }) => {
    return { path, rule, message, version: (versions[against] as FullVersion).number, direction }
  })
  const checkedAgainst = versions.map(({ number }) => number)
  return { compatible: violations.length === 0, mode, checkedAgainst, violations }
}
