import { cut } from '../text.ts'
import type { TemplateData, TemplateValue } from './data.ts'
import { FILTERS } from './filters.ts'
import { type AppliedFilter, parseTemplate, type TemplateNode } from './parse.ts'

const MAX_OUTPUT = 16 * 1024

/**
 * The text that a template makes of a message; what is longer than 16 KiB is cut. There is one loop, over the alerts,
 * which can't stand in itself, so the time is bounded by the length of the template.
 */
export function render(template: string, data: TemplateData): string {
  const output = new Output()
  write(parseTemplate(template), data.values, data.alerts, output)
  return cut(output.text.trim(), MAX_OUTPUT)
}

class Output {
  text = ''

  get isFull(): boolean {
    return this.text.length > MAX_OUTPUT
  }
}

type Values = TemplateData['values']

function write(nodes: readonly TemplateNode[], values: Values, alerts: readonly Values[], output: Output): void {
  for (const node of nodes) {
    if (output.isFull) return
    if (node.kind === 'text') output.text += node.text
    else if (node.kind === 'value') output.text += valueText(values.get(node.name) ?? null, node.filters)
    else {
      for (const inner of scopesOf(node.name, node.isInverted, values, alerts)) write(node.body, inner, alerts, output)
    }
  }
}

/** What a section is written with, once for each: alerts one by one, others if they are there. */
function scopesOf(name: string, isInverted: boolean, values: Values, alerts: readonly Values[]): readonly Values[] {
  if (name === 'alerts' && !isInverted) return alerts
  const value = values.get(name) ?? ''
  const isThere = name === 'alerts' ? alerts.length > 0 : value !== ''
  return isThere === isInverted ? [] : [values]
}

function valueText(value: TemplateValue, filters: readonly AppliedFilter[]): string {
  let result = value
  for (const { name, argument } of filters) {
    if (result !== null) result = FILTERS.get(name)?.apply(result, argument) ?? null
  }
  return result === null ? '' : String(result)
}
