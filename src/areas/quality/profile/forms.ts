import { sqlText } from '../../../data/relation.ts'

const LONGEST = 40

/** The form of a text as SQL, as detectors show it too (`src/engines/detectors/mask.ts`). */
export function formSql(text: string): string {
  const replaced = (sql: string, pattern: string, by: string) =>
    `regexp_replace(${sql}, ${sqlText(pattern)}, ${sqlText(by)}, 'g')`
  const digits = replaced(`left(${text}, ${LONGEST})`, '[0-9]', '9')
  const form = replaced(replaced(digits, '[A-Z]', 'A'), '[^ -@\\[-`{-~A]', 'a')
  return `${form} || CASE WHEN length(${text}) > ${LONGEST} THEN '…' ELSE '' END`
}

const CLASSES: Readonly<Record<string, string>> = { 9: '[0-9]', A: '[A-Z]', a: '[a-z]' }

/** A regular expression for texts of a form; undefined where the form was cut. */
export function expressionOf(form: string): string | undefined {
  if (form.endsWith('…')) return undefined
  const runs = form.match(/9+|A+|a+|./gsu) ?? []
  return runs.map((run) => expressionOfRun(run)).join('')
}

function expressionOfRun(run: string): string {
  const chars = CLASSES[run[0] as string]
  if (chars === undefined) return run.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return run.length === 1 ? chars : `${chars}{${run.length}}`
}
