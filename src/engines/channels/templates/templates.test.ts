import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  checkTemplate,
  DEFAULT_TEXT,
  DEFAULT_TITLE,
  render,
  type TemplateData,
  type TemplateFault,
  TemplateProblem,
  templateData
} from '../index.ts'
import { alert, hostileMessage, hostileText, message } from '../testing/messages.ts'

const NOW = Date.parse('2026-01-01T09:05:00.000Z')
const make = (template: string, changes = {}) => render(template, templateData(message(changes), NOW))

test('the default templates say what, where, since when, value and threshold, link', () => {
  const resolved = alert({
    state: 'resolved',
    resolvedAt: '2026-01-01T08:30:00.000Z',
    value: null,
    link: null,
    annotations: {}
  })
  const changes = { alerts: [alert(), resolved], more: 3 }
  assert.equal(make(DEFAULT_TITLE, changes), 'FIRING: Boiler too hot (site=berlin) and 4 more')
  assert.equal(make(DEFAULT_TITLE), 'FIRING: Boiler too hot (site=berlin)')
  assert.equal(
    make(DEFAULT_TEXT, changes),
    `Boiler too hot is firing at site=berlin, line=2
Close the valve
Since 2026-01-01 08:00:00 UTC (1 h 5 min)
Value 91.235, threshold > 90
https://millrace.example/alerts/al_1

Boiler too hot is resolved at site=berlin, line=2
Since 2026-01-01 08:00:00 UTC until 2026-01-01 08:30:00 UTC (30 min)

and 3 more`
  )
  assert.deepEqual([...checkTemplate(DEFAULT_TITLE), ...checkTemplate(DEFAULT_TEXT)], [])
})

test('names, filters and sections', () => {
  const cases: readonly [template: string, text: string][] = [
    ['{{ labels.site }}/{{labels.none}}/{{ annotations.summary }}', 'berlin//Close the valve'],
    ['{{ value | round: 2 }} {{ value | round }} {{ value }}', '91.23 91 91.23456'],
    ["{{ startedAt | time: 'Europe/Berlin' }}", '2026-01-01 09:00:00 Europe/Berlin'],
    ['{{ startedAt | time }}', '2026-01-01 08:00:00 UTC'],
    ['{{ activeSeconds | duration }}', '1 h 5 min'],
    ['{{ labels.site | upper }}{{ value | upper | round: 1 }}', 'BERLIN91.23456'],
    ['{{#alerts}}{{ labels.line }}{{^resolvedAt}}!{{/resolvedAt}}{{/alerts}}', '2!'],
    ['{{^alerts}}none{{/alerts}}{{^labels.none}}no{{/labels.none}}', 'no'],
    ['{{#threshold}}{{ operator }} {{ threshold }}{{/threshold}}', '> 90'],
    ['{ {{ count }} }} {', '{ 1 }} {'],
    ['', '']
  ]
  for (const [template, text] of cases) {
    assert.deepEqual(checkTemplate(template), [], template)
    assert.equal(make(template), text, template)
  }
  assert.equal(make('{{#value}}{{ value }}{{/value}}', { alerts: [alert({ value: 0 })] }), '0')
  assert.equal(make('{{ activeSeconds | duration }}', { alerts: [alert({ startedAt: 'never' })] }), '')
  assert.equal(make('{{ ruleName }}{{^alerts}}none{{/alerts}}', { alerts: [] }), 'none')
})

test('what is wrong is told with its place', () => {
  const cases: readonly [template: string, line: number, column: number, said: RegExp][] = [
    ['a\n  {{ site }}', 2, 3, /^there is no site; there are kind, .*labels\.<name>/],
    ['{{ constructor }}', 1, 1, /^there is no constructor/],
    ['{{ labels }}', 1, 1, /^there is no labels/],
    ['{{ labels. }}', 1, 1, /^there is no labels\./],
    ['{{ value.constructor }}', 1, 1, /^there is no value\.constructor/],
    ['{{ value | shout }}', 1, 1, /^the filter shout is not known; there are round, time, duration, upper/],
    ['{{ value | round: 11 }}', 1, 1, /^the filter round takes a number of digits/],
    ["{{ startedAt | time: 'Mars/Base' }}", 1, 1, /^the filter time takes a time zone/],
    ['{{ value | upper: 1 }}', 1, 1, /^the filter upper takes nothing/],
    ['{{ value round }}', 1, 1, /^after a name stands/],
    [`{{ value ${'| upper '.repeat(5)}}}`, 1, 1, /^a name has at most 4 filters/],
    ['{{ }}', 1, 1, /^write \{\{ name \}\}/],
    ['ab{{ value', 1, 3, /^this \{\{ has no \}\}/],
    ['{{#value}}', 1, 1, /^this section has no \{\{\/value\}\}/],
    ['{{/value}}', 1, 1, /^there is no section to end/],
    ['{{#value}}{{/link}}', 1, 11, /^this has to be \{\{\/value\}\}/],
    ['{{ alerts }}', 1, 1, /^alerts is a list/],
    ['{{#alerts}}{{#alerts}}{{/alerts}}{{/alerts}}', 1, 12, /^alerts is open already/],
    ['{{#value}}'.repeat(9) + '{{/value}}'.repeat(9), 1, 81, /^sections stand in one another/],
    ['x'.repeat(8193), 1, 8193, /^a template has at most/]
  ]
  for (const [template, line, column, said] of cases) {
    const [fault] = checkTemplate(template) as [TemplateFault]
    assert.deepEqual([fault.line, fault.column], [line, column], template)
    assert.match(fault.message, said)
    assert.throws(() => make(template), TemplateProblem)
  }
  assert.equal(checkTemplate('{{ a }} {{ b }} {{ c | d }}').length, 4)
})

test('no template runs away: it is refused, or gives at most 16 KiB at once', () => {
  const part = fc.oneof(
    hostileText,
    fc.constantFrom(
      '{{',
      '}}',
      '{{#alerts}}',
      '{{/alerts}}',
      '{{ labels.site }}',
      "{{ startedAt | time: 'Asia/Tokyo' }}"
    ),
    fc.constantFrom('{{ labels.__proto__ }}', '{{ value | round: 2 | upper }}', '{{#value}}', '{{/value}}', '{{^more}}')
  )
  const template = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(template, hostileMessage, (text, told) => {
      if (checkTemplate(text).length > 0) return
      assert.ok(render(text, templateData(told, NOW)).length <= 16 * 1024)
    }),
    { numRuns: 300 }
  )
  const greedy = `{{#alerts}}${'{{ labels.site }}'.repeat(480)}{{/alerts}}`
  const alerts = Array.from({ length: 50 }, () => alert({ labels: { site: 'x'.repeat(1000) } }))
  assert.equal(make(greedy, { alerts }).length, 16 * 1024)
})

test('nothing more is done once the text is full', () => {
  let asked = 0
  class Counting extends Map<string, string> {
    override get(name: string): string | undefined {
      asked += 1
      return super.get(name)
    }
  }
  const values = new Counting([['labels.site', 'x'.repeat(1000)]])
  const data = { values, alerts: Array.from({ length: 50 }, () => values) }
  render(`{{#alerts}}${'{{ labels.site }}'.repeat(480)}{{/alerts}}`, data)
  assert.equal(asked, 17)
})

test('a template is rendered with nothing but the names that it was given', () => {
  const data: TemplateData = { values: new Map([['kind', 'test']]), alerts: [] }
  assert.equal(render('{{ kind }} {{ ruleName }} {{ value | round }}{{#alerts}}x{{/alerts}}', data), 'test')
})

test('labels are taken from the message alone, also those with the names of every object', () => {
  assert.equal(make('{{ labels.__proto__ }}{{ labels.toString }}{{ annotations.constructor }}'), '')
  const groupLabels = Object.fromEntries([
    ['__proto__', 'own'],
    ['a.b-c', 'dotted']
  ])
  assert.equal(make('{{ labels.__proto__ }} {{ labels.a.b-c }}', { groupLabels }), 'own dotted')
})
