import { readFile } from 'node:fs/promises'
import { Trouble } from '../command.ts'

/** A rule as a file says it; the server checks it. */
export type FileRule = Readonly<Record<string, unknown>> & { readonly name: string }

const MAX_RULES = 10_000

/** The rules of a file, which is YAML; JSON is YAML too. */
export async function readRules(file: string): Promise<FileRule[]> {
  const { parse, YAMLError } = await import('yaml')
  let content: unknown
  try {
    content = parse(await readFile(file, 'utf8'), { maxAliasCount: 0 })
  } catch (error) {
    if (error instanceof YAMLError || error instanceof ReferenceError) throw new Trouble(`${file}: ${error.message}`)
    throw error
  }
  const rules = (content as { qualityRules?: unknown } | null)?.qualityRules
  if (!Array.isArray(rules)) throw new Trouble(`${file} has no list under qualityRules.`)
  if (rules.length > MAX_RULES) throw new Trouble(`${file} has ${rules.length} rules; at most ${MAX_RULES} are taken.`)
  const names = new Set<string>()
  for (const [at, rule] of rules.entries()) {
    const name = (rule as FileRule | null)?.name
    if (typeof name !== 'string') throw new Trouble(`${file}: /qualityRules/${at} has no name.`)
    if (names.has(name)) throw new Trouble(`${file}: /qualityRules/${at} has the name of another one: ${name}.`)
    names.add(name)
  }
  return rules as FileRule[]
}
