import { createRequire } from 'node:module'
import type { Draft } from './model.ts'

const FILES: readonly [pattern: RegExp, file: string, draft: Draft][] = [
  [/^http:\/\/json-schema\.org\/draft-04\/schema$/, 'ajv-draft-04/dist/refs/json-schema-draft-04.json', 'draft-04'],
  [/^http:\/\/json-schema\.org\/draft-06\/schema$/, 'ajv/dist/refs/json-schema-draft-06.json', 'draft-06'],
  [/^http:\/\/json-schema\.org\/draft-07\/schema$/, 'ajv/dist/refs/json-schema-draft-07.json', 'draft-07']
]
const MODERN = /^https:\/\/json-schema\.org\/draft\/(2019-09|2020-12)\/(schema|meta\/[a-z-]+)$/

/** The schemas of schemas, which every schema may refer to. */
export function knownDocument(uri: string): { readonly schema: unknown; readonly draft: Draft } | undefined {
  const old = FILES.find(([pattern]) => pattern.test(uri))
  if (old !== undefined) return { schema: load(old[1]), draft: old[2] }
  const [, draft, name] = MODERN.exec(uri) ?? []
  if (draft === undefined) return undefined
  try {
    return { schema: load(`ajv/dist/refs/json-schema-${draft}/${name}.json`), draft: draft as Draft }
  } catch {
    return undefined
  }
}

function load(file: string): unknown {
  return createRequire(import.meta.url)(file)
}
