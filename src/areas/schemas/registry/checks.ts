import type { Metadata } from '../../../engines/metadata/index.ts'
import type { Candidates } from '../candidates.ts'
import type { Verdict, Violation } from '../compatibility.ts'
import { Problem } from '../errors.ts'
import type { Registration } from '../registration.ts'
import { findSchemaByName } from '../store.ts'
import { candidateOf } from './forms.ts'
import { toRegistryRefusal, versionNotFound } from './manners.ts'
import type { CompatibilityResult, SchemaRequest } from './schema.ts'
import { requireVersion } from './subjects.ts'

interface Needs {
  readonly metadata: Metadata
  readonly candidates: Candidates
  readonly registration: Registration
}

/** Whether a schema could be registered, without registering it. */
export class Checks {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Checks against the versions that the compatibility of the subject names, as registering does. */
  async all(subject: string, request: SchemaRequest, isVerbose: boolean): Promise<CompatibilityResult> {
    return answer(isVerbose, async () => {
      const candidate = await candidateOf(this.#needs, request)
      const row = await findSchemaByName(this.#needs.metadata.db, subject)
      return row && (await this.#needs.registration.check(row, candidate)).verdict
    })
  }

  /** Checks against one version. `latest` of a subject without versions is compatible with everything. */
  async one(
    subject: string,
    version: number | 'latest',
    request: SchemaRequest,
    isVerbose: boolean
  ): Promise<CompatibilityResult> {
    const { metadata, registration } = this.#needs
    const there = await requireVersion(metadata.db, subject, version, 'live').catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      if (version !== 'latest') throw versionNotFound(version)
      return undefined
    })
    return answer(isVerbose, async () => {
      const candidate = await candidateOf(this.#needs, request)
      const row = there && (await findSchemaByName(metadata.db, subject))
      return row && there && registration.checkAgainst(row, candidate, [there])
    })
  }
}

/** With `verbose` a text that is no schema is answered as not compatible; without it the request is refused. */
async function answer(isVerbose: boolean, check: () => Promise<Verdict | undefined>): Promise<CompatibilityResult> {
  try {
    const verdict = await check()
    return {
      is_compatible: verdict?.compatible ?? true,
      ...(isVerbose && { messages: verdict === undefined ? [] : messagesOf(verdict) })
    }
  } catch (error) {
    const problem = toRegistryRefusal(error)
    if (!isVerbose || !(problem instanceof Problem) || problem.status !== 422) throw problem
    return { is_compatible: false, messages: [problem.detail] }
  }
}

const MAX_MESSAGES = 100

/** The violations as messages in the form of Confluent's registry. */
function messagesOf({ compatible, mode, violations }: Verdict): string[] {
  if (compatible) return []
  const more = violations.length - MAX_MESSAGES
  return [
    ...violations.slice(0, MAX_MESSAGES).map(told),
    ...(more > 0 ? [`{more: ${more}}`] : []),
    `{compatibility: '${mode}'}`
  ]
}

const told = ({ rule, message, path, version, direction }: Violation) =>
  `{errorType:'${rule}', description:'${message}', additionalInfo:'${path}', direction:'${direction}', oldSchemaVersion: ${version}}`

export function incompatible(subject: string, verdict: Verdict): Problem {
  const { mode, checkedAgainst, violations } = verdict
  return new Problem('schema_incompatible', {
    detail: `The schema is incompatible with an earlier schema for subject "${subject}", details: [${messagesOf(verdict).join(', ')}]`,
    members: { mode, checkedAgainst, violations: violations.slice(0, MAX_MESSAGES) }
  })
}
