import { parseDocument } from 'yaml'

/** Aliases repeat what they stand for, so that a few lines can stand for gigabytes. */
const MAX_ALIASES = 20

export type ReadYaml = { readonly json: string } | { readonly problem: string }

/** Reads one document as JSON, or tells what is wrong with it. May take long: to be called where nobody waits. */
export function yamlToJson(text: string): ReadYaml {
  try {
    const document = parseDocument(text, { schema: 'core', logLevel: 'error', prettyErrors: false })
    const [error] = document.errors
    if (error !== undefined) throw error
    return { json: JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES }) ?? null) }
  } catch (error) {
    return { problem: (error as Error).message.slice(0, 200) }
  }
}
