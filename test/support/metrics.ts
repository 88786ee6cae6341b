import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'

/** A metric with all its series. */
export interface MetricFamily {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  readonly help: string
  /** Samples by name and labels: `millrace_jobs{state="queued"}`. */
  readonly samples: ReadonlyMap<string, MetricSample>
}

export interface MetricSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** What Prometheus would read, by name and labels: `millrace_jobs{state="queued"}`. */
export async function readMetrics(test: Pick<TestApp, 'call'>): Promise<ReadonlyMap<string, number>> {
  const families = await readMetricFamilies(test)
  return new Map(families.flatMap(({ samples }) => [...samples].map(([key, { value }]) => [key, value] as const)))
}

export async function readMetricFamilies(test: Pick<TestApp, 'call'>): Promise<MetricFamily[]> {
  const { status, headers, text } = await test.call('GET', '/metrics', { as: 'viewer' })
  assert.equal(status, 200, text)
  assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  return parseMetrics(text)
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const HELP_LINE = new RegExp(`^# HELP (${NAME}) (\\S.*)$`)
const TYPE_LINE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary)$`)
const SAMPLE_LINE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (-?[0-9.]+(?:e[+-]?[0-9]+)?)$`)
const LABELS = new RegExp(LABEL, 'g')

/**
 * Parses the text format of Prometheus, more strictly than Prometheus: every metric has help, type and then its
 * series, once; a counter is named as one and is not negative; all numbers are finite, and histograms add up.
 */
export function parseMetrics(text: string): MetricFamily[] {
  assert.ok(text.endsWith('\n'), 'the last line has to end')
  const families: (MetricFamily & { samples: Map<string, MetricSample> })[] = []
  const lines = text.split('\n').filter((line) => line !== '')
  for (let index = 0; index < lines.length; ) {
    const [, name = '', help = ''] =
      HELP_LINE.exec(lines[index++] as string) ?? assert.fail(`no help: ${lines[index - 1]}`)
    const [, typed, type] = TYPE_LINE.exec(lines[index++] ?? '') ?? assert.fail(`no type: ${lines[index - 1]}`)
    assert.equal(typed, name)
    assert.ok(!families.some((family) => family.name === name), `${name} comes twice`)
    const samples = new Map<string, MetricSample>()
    for (; index < lines.length && !(lines[index] as string).startsWith('#'); index++) {
      const [key, sample] = parseSample(lines[index] as string)
      assert.ok(!samples.has(key), `${key} comes twice`)
      samples.set(key, sample)
    }
    families.push({ name, help, type: type as MetricFamily['type'], samples })
  }
  for (const family of families) checkFamily(family)
  return families
}

function parseSample(line: string): [string, MetricSample] {
  const [, name = '', braced = '', digits = ''] = SAMPLE_LINE.exec(line) ?? assert.fail(`not a sample: ${line}`)
  const labels = Object.fromEntries(
    [...braced.matchAll(LABELS)].map(([pair]) => {
      const equals = pair.indexOf('=')
      return [pair.slice(0, equals), JSON.parse(pair.slice(equals + 1)) as string]
    })
  )
  assert.equal(
    Object.keys(labels).length,
    braced === '' ? 0 : [...braced.matchAll(LABELS)].length,
    'a label comes twice'
  )
  const value = Number(digits)
  assert.ok(Number.isFinite(value), line)
  return [line.slice(0, line.lastIndexOf(' ')), { name, labels, value }]
}

function checkFamily({ name, type, samples }: MetricFamily): void {
  for (const [key, sample] of samples) {
    if (type === 'counter') assert.ok(sample.value >= 0 && name.endsWith('_total'), key)
    if (type === 'counter' || type === 'gauge') assert.equal(sample.name, name, key)
    else assert.ok([`${name}_bucket`, `${name}_sum`, `${name}_count`].includes(sample.name), key)
  }
  if (type === 'histogram') checkHistogram(name, [...samples.values()])
}

function checkHistogram(name: string, samples: readonly MetricSample[]): void {
  const key = ({ le: _, ...labels }: Readonly<Record<string, string>>) => JSON.stringify(Object.entries(labels).sort())
  for (const group of Object.values(Object.groupBy(samples, ({ labels }) => key(labels)))) {
    const buckets = (group ?? []).filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('+Inf', 'Infinity')))
    assert.deepEqual(
      bounds,
      bounds.toSorted((a, b) => a - b),
      name
    )
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY, name)
    const counts = buckets.map(({ value }) => value)
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
      name
    )
    const count = group?.find((sample) => sample.name === `${name}_count`)
    assert.equal(count?.value, counts.at(-1), name)
    assert.ok(
      group?.some((sample) => sample.name === `${name}_sum`),
      name
    )
  }
}
