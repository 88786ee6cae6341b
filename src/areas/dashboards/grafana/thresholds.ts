import type { PanelOptions } from '../model/schema.ts'
import { type Color, colorOf } from './colors.ts'
import { entryOf, type Fields, listOf, numberOf, objectOf, objectsOf, textOf } from './reading.ts'
import type { Notes } from './report.ts'

type Thresholds = NonNullable<PanelOptions['thresholds']>

const MAX_THRESHOLDS = 20
/** The colours of Grafana's numbers where a panel names none. */
const USUAL: readonly Color[] = ['green', 'orange', 'red']

interface Step {
  readonly value: number | null
  readonly color: Color
}

/** From `thresholds` of any time: steps of today, lines of graphs, `50,80` of single numbers, lists of old gauges. */
export function thresholdsOf(panel: Fields, notes: Notes): Thresholds | undefined {
  const defaults = objectOf(objectOf(panel.fieldConfig).defaults)
  const options = objectOf(panel.options)
  const old = objectOf(objectOf(options.fieldOptions).defaults)
  const given = [
    defaults.thresholds,
    old.thresholds,
    objectOf(options.fieldOptions).thresholds,
    options.thresholds,
    panel.thresholds
  ].find((each) => each !== undefined && each !== null)
  if (textOf(objectOf(given).mode) === 'percentage') {
    notes.add('Its thresholds are percentages of a range, which are not known here: they are left out.')
    return undefined
  }
  const steps =
    typeof given === 'string'
      ? fromText(given, panel)
      : fromList(Array.isArray(given) ? given : objectOf(given).steps, notes)
  return steps.length === 0 ? undefined : inOrder(steps, notes)
}

/** `50,80` with three colours: below, between and above. */
function fromText(text: string, panel: Fields): Step[] {
  const values = text
    .split(',')
    .map(numberOf)
    .filter((each) => each !== undefined)
  if (values.length === 0) return []
  const colors = listOf(panel.colors).map((each) => colorOf(textOf(each)))
  const colorAt = (index: number): Color => colors[index] ?? USUAL[Math.min(index, 2)] ?? 'red'
  return [{ value: null, color: colorAt(0) }, ...values.map((value, i) => ({ value, color: colorAt(i + 1) }))]
}

function fromList(given: unknown, notes: Notes): Step[] {
  const steps: Step[] = []
  for (const [index, step] of objectsOf(given).entries()) {
    const isLowest = step.value === null || (step.value === undefined && index === 0)
    const value = isLowest ? null : numberOf(step.value)
    const mode = textOf(step.colorMode)
    const named = textOf(step.color) || textOf(step.lineColor) || textOf(step.fillColor)
    const color = colorOf(entryOf(MODES, mode) ?? named)
    if (value === undefined || color === undefined)
      notes.add(`A threshold ${textOf(step.value)} ${named} is not understood.`)
    else if (textOf(step.op) === 'lt')
      notes.add(`The threshold below ${value} is left out: colours here are from a value on.`)
    else steps.push({ value, color })
  }
  return steps
}

const MODES: Readonly<Record<string, string>> = { critical: 'red', warning: 'orange', ok: 'green' }

/** Rising, each value once: of two that are the same, the later counts, as it does in Grafana. */
function inOrder(steps: readonly Step[], notes: Notes): Thresholds {
  const byValue = new Map(steps.map(({ value, color }) => [value, color]))
  const sorted = [...byValue].sort(([a], [b]) => (a ?? Number.NEGATIVE_INFINITY) - (b ?? Number.NEGATIVE_INFINITY))
  if (sorted.length > MAX_THRESHOLDS) notes.add(`Only the first ${MAX_THRESHOLDS} thresholds are taken.`)
  return sorted.slice(0, MAX_THRESHOLDS).map(([value, color]) => ({ value, color }))
}
