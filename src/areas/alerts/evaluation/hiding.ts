import { createHmac } from 'node:crypto'
import { MASK_TEXT } from '../../../data/mask.ts'
import type { Guard } from '../../classification/index.ts'
import type { ParsedCondition } from '../rules/conditions.ts'
import { dataOf } from '../rules/data.ts'
import type { Found, Labels } from './readings.ts'

export interface HidingNeeds {
  readonly vault: { derive(purpose: string): Buffer }
  guard(): Promise<Pick<Guard, 'maskForAll'>>
}

const DIGITS = 12
const UNSPOKEN = 'The condition can’t be evaluated; why is not told, because the data are classified.'

/**
 * Whoever gets a message of an alert has no role here. So where a rule reads data that not everybody may see, nothing of them
 * goes into what alerts tell: neither the value, nor the texts that SQL makes labels of, which become codes that stay the same.
 */
export async function hidden(
  { vault, guard }: HidingNeeds,
  conditions: readonly ParsedCondition[],
  found: Found
): Promise<Found> {
  const data = conditions.flatMap(dataOf)
  if (data.length === 0 || (await (await guard()).maskForAll(data)) === undefined) return found
  const readsSql = conditions.some(({ kind }) => kind === 'sql')
  if ('error' in found) return readsSql ? { ...found, error: UNSPOKEN } : found
  const key = vault.derive('alert-labels')
  const readings = found.readings.map(({ labels, reading, threshold }) => ({
    labels: readsSql ? coded(key, labels) : labels,
    reading: reading.kind === 'value' ? { ...reading, value: null } : reading,
    threshold
  }))
  return { ...found, readings }
}

function coded(key: Buffer, labels: Labels): Labels {
  const code = (text: string) => `${MASK_TEXT}${createHmac('sha256', key).update(text).digest('hex').slice(0, DIGITS)}`
  return Object.fromEntries(Object.entries(labels).map(([name, text]) => [name, code(text)]))
}
