import type { Db } from '../../engines/metadata/index.ts'
import { type Dependency, MAX_TEXT_CHARS, type Source } from '../../engines/schemas/index.ts'
import { Problem } from './errors.ts'
import type { Reference } from './schema.ts'
import { type FullVersion, findVersion } from './version-store.ts'

const MAX_DEPENDENCIES = 500
const NO_DEPENDENCIES: readonly Dependency[] = []

/** A text with the texts that it refers to, and those they refer to, each before whatever needs it. */
export async function sourceOf(db: Db, text: string, references: readonly Reference[]): Promise<Source> {
  if (references.length === 0) return { text, dependencies: NO_DEPENDENCIES }
  const found = new Map<string, string>()
  await gather(db, references, found, [])
  return { text, dependencies: [...found].map(([name, dependency]) => ({ name, text: dependency })) }
}

export const sourceOfVersion = (db: Db, { text, refers_to }: Pick<FullVersion, 'text' | 'refers_to'>) =>
  sourceOf(db, text, referencesOf(refers_to))

export const referencesOf = (refersTo: string): Reference[] =>
  refersTo === '[]' ? [] : (JSON.parse(refersTo) as Reference[])

async function gather(
  db: Db,
  references: readonly Reference[],
  found: Map<string, string>,
  path: readonly string[]
): Promise<void> {
  for (const reference of references) {
    if (found.has(reference.name)) continue
    const version = await findVersion(db, reference.schemaId, reference.version)
    if (version === undefined || (path.length === 0 && version.deleted_at !== null)) throw missingReference(reference)
    // A version can only refer to versions that were there before it, so there are no circles; names may be used twice.
    await gather(db, referencesOf(version.refers_to), found, [...path, reference.name])
    found.set(reference.name, version.text)
    if (found.size > MAX_DEPENDENCIES) {
      throw new Problem('schema_too_complex', {
        detail: `A schema may refer to ${MAX_DEPENDENCIES} others, theirs included.`
      })
    }
    if (totalChars(found) > MAX_TEXT_CHARS) throw new Problem('schema_too_large')
  }
}

function totalChars(found: ReadonlyMap<string, string>): number {
  let chars = 0
  for (const text of found.values()) chars += text.length
  return chars
}

export function missingReference({ name, schemaId, version }: Reference): Problem {
  return new Problem('schema_reference_missing', {
    detail: `What it refers to as ${name}, version ${version} of ${schemaId}, is not there; register that first.`,
    errors: [{ pointer: '/references', message: `${name} is not there` }],
    members: { reference: name }
  })
}
