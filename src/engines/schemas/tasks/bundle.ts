import type { Source } from '../format.ts'

/** A JSON Schema with what it refers to put into it, each under the address that it is referred to by. */
export function bundle({ text, dependencies }: Source): object {
  const document = JSON.parse(text) as unknown
  if (typeof document !== 'object' || document === null) return document === false ? { not: {} } : {}
  if (dependencies.length === 0) return document
  const { $schema = '' } = document as { $schema?: unknown }
  const isOld = /draft-0[467]/.test(String($schema)) || $schema === ''
  const place = isOld ? 'definitions' : '$defs'
  const own = (document as Record<string, object>)[place]
  const parts = dependencies.map(({ name, text }) => [
    name,
    { ...Object(JSON.parse(text)), [idWord(String($schema))]: name }
  ])
  return { ...document, [place]: { ...own, ...Object.fromEntries(parts) } }
}

const idWord = ($schema: string) => ($schema.includes('draft-04') ? 'id' : '$id')
