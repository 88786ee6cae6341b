import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { makeKey, makeSource, writeLines } from '../../../../test/support/catalog.ts'
import { readEvents } from '../../../../test/support/event-reader.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'

const NOW = '2026-03-01T12:00:00.000Z'
const NOW_MS = Date.parse(NOW)
const CSV = `line,name,amount,sold
1,Ann,10,2026-03-01T11:00:00Z
1,Bob,20,2026-03-01T11:30:00Z
2,Cid,30,2026-03-01T11:10:00Z
"'); DROP TABLE input; --",Eve,40,2026-03-01T11:20:00Z
`

interface Data {
  readonly panelId: string
  readonly status: string
  readonly error: { code: string; detail: string; pointer?: string; position?: object } | null
  readonly masked: string[]
  readonly frames: { name: string; labels: object; columns: { name: string; type: string }[]; values: unknown[][] }[]
}

describe('the data of dashboards', () => {
  let test: TestApp
  let sourceId: string
  before(async () => {
    test = await startTestApp({ clock: new ManualClock(NOW) })
    sourceId = await makeSource(test, 'plant')
    const lines = Array.from({ length: 60 }, (_, n) => `oil,line=${n % 2} value=${n} ${NOW_MS - (60 - n) * 60_000}`)
    await writeLines(test, 'plant', lines.join('\n'))
    await test.call('POST', '/api/buckets', { as: 'admin', body: { name: 'shop' } })
    const headers = { 'content-type': 'text/csv' }
    await test.call('PUT', '/api/buckets/shop/objects/sales.csv', { as: 'admin', body: CSV, headers })
  })
  after(() => test.close())

  const reference = 'object://shop/sales.csv'
  const position = { x: 0, y: 0, w: 12, h: 8 }
  const panel = (id: string, type: string, query: object, more: object = {}) => ({
    ...{ id, title: id, type, query, position },
    ...more
  })
  const dashboard = async (panels: object[], more: object = {}): Promise<string> => {
    const body = { name: 'Plant', panels, refreshSeconds: 5, ...more }
    const answer = await test.call('POST', '/api/dashboards', { as: 'editor', body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.id
  }
  const dataOf = async (id: string, body: object = {}, as: 'viewer' | 'admin' = 'viewer'): Promise<Data[]> => {
    const answer = await test.call('POST', `/api/dashboards/${id}/data`, { as, body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.panels
  }

  const lines = {
    name: 'line',
    type: 'query',
    multiple: true,
    query: { reference, sql: 'SELECT DISTINCT line FROM input ORDER BY 1' }
  }
  const names = {
    name: 'who',
    type: 'query',
    query: { reference, sql: 'SELECT name, upper(name) FROM input WHERE line = any($line) ORDER BY 1' }
  }

  it('are no more bytes than a screen can show, of one panel and of all', async () => {
    const sql = "SELECT repeat('x', 45000) AS c FROM input, range(400)"
    const wide = Array.from({ length: 12 }, (_, at) => panel(`wide${at}`, 'table', { reference, sql }))
    const answer = await test.call('POST', `/api/dashboards/${await dashboard(wide)}/data`, { as: 'viewer', body: {} })
    assert.equal(answer.status, 200)
    assert.ok(answer.text.length < 33 * 1024 * 1024, String(answer.text.length))
    const states = (answer.body.panels as (Data & { truncated: boolean })[]).map((one) => [
      one.truncated,
      one.error?.code
    ])
    assert.deepEqual(states, [
      ...Array.from({ length: 8 }, () => [true, undefined]),
      ...Array.from({ length: 4 }, () => [false, 'too_large'])
    ])
  })

  it('are points in buckets, SQL as series, and what is wrong with one panel alone', async () => {
    const sql = 'SELECT sold, line, amount FROM input WHERE sold BETWEEN $from AND $to'
    const id = await dashboard([
      panel('oil', 'line', { sourceId, tags: ['oil{line=*}'], function: 'max', aggregation: '30m' }),
      panel('sales', 'line', { reference, sql }),
      panel('broken', 'table', { reference, sql: 'SELECT nothing FROM input' }),
      panel('gone', 'line', { sourceId: 'src_nobody' }),
      { id: 'text', title: '', type: 'text', options: { text: 'Hello' }, position }
    ])
    const [oil, sales, broken, gone, text] = await dataOf(id, { from: '-1h' })
    assert.deepEqual(
      oil?.frames.map(({ name, labels, values }) => [name, labels, values]),
      [
        [
          'oil{line=0}',
          { line: '0' },
          [
            ['2026-03-01T11:00:00.000Z', '2026-03-01T11:30:00.000Z'],
            [28, 58]
          ]
        ],
        [
          'oil{line=1}',
          { line: '1' },
          [
            ['2026-03-01T11:00:00.000Z', '2026-03-01T11:30:00.000Z'],
            [29, 59]
          ]
        ]
      ]
    )
    assert.equal(sales?.error, null)
    assert.deepEqual(sales?.frames.map(({ name, values }) => [name, values[1]]).slice(0, 2), [
      ['1', [10, 20]],
      ['2', [30]]
    ])
    assert.deepEqual([broken?.status, broken?.error?.code, gone?.error?.code], ['error', 'sql_error', 'not_found'])
    assert.match(broken?.error?.detail ?? '', /nothing/)
    assert.deepEqual([text?.status, text?.frames], ['ok', []])
  })

  it('are an error that says which kind it is, and where, of each panel that can’t be read', async () => {
    const wrong = 'SELECT sold,\n  nothing FROM input'
    const missing = 'object://shop/nothing.csv'
    const id = await dashboard(
      [
        panel('table', 'table', { reference, sql: wrong }),
        panel('line', 'line', { reference, sql: wrong }),
        panel('written', 'table', { reference, sql: 'DROP TABLE input' }),
        panel('outside', 'table', { reference, sql: "SELECT * FROM read_csv('/etc/passwd')" }),
        panel('missing', 'table', { reference: missing }),
        panel('some', 'table', { references: { a: reference, b: missing }, sql: 'FROM a, b' }),
        panel('value', 'table', { reference, sql: 'SELECT name::INTEGER FROM input' })
      ],
      { variables: [{ name: 'broken', type: 'query', query: { reference, sql: wrong } }] }
    )
    const found = (await dataOf(id)).map(({ panelId, error }) => {
      return [panelId, error?.code, error?.pointer, error?.position]
    })
    const at = { line: 2, column: 3 }
    assert.deepEqual(found, [
      ['table', 'sql_error', '/query/sql', at],
      ['line', 'sql_error', '/query/sql', at],
      ['written', 'sql_refused', '/query/sql', undefined],
      ['outside', 'sql_refused', '/query/sql', { line: 1, column: 15 }],
      ['missing', 'nothing_matches', '/query/reference', undefined],
      ['some', 'nothing_matches', '/query/references', undefined],
      ['value', 'sql_error', '/query/sql', { line: 1, column: 12 }]
    ])
    const { body } = await test.call('POST', `/api/dashboards/${id}/variables`, { as: 'viewer', body: {} })
    const { code, pointer, position } = body.variables[0].error
    assert.deepEqual([code, pointer, position], ['sql_error', '/query/sql', at])
  })

  it('over dates are what they are over the times at which these begin', async () => {
    const days = (day: string) => `SELECT ${day} AS day, sum(n) AS n FROM (VALUES
      (DATE '2026-02-28', 1), (DATE '2026-02-27', 2), (DATE '2026-02-28', 4), (DATE '0044-03-15 (BC)', 8), (DATE '12026-01-01', 16)) AS t(d, n)
      WHERE d < DATE '2026-02-20' OR d BETWEEN $from AND $to OR d > DATE '9999-01-01' GROUP BY 1`
    const id = await dashboard(
      ['line', 'bar', 'table'].flatMap((type) => [
        panel(`dates-${type}`, type, { reference, sql: `${days('d')} ORDER BY 1` }),
        panel(`times-${type}`, type, { reference, sql: `${days('d::TIMESTAMP')} ORDER BY 1` })
      ])
    )
    const found = await dataOf(id, { from: '-7d' })
    for (let at = 0; at < found.length; at += 2) assert.deepEqual(found[at]?.frames, found[at + 1]?.frames)
    assert.deepEqual(found[0]?.frames[0]?.values, [
      [
        '-000043-03-15T00:00:00.000Z',
        '2026-02-27T00:00:00.000Z',
        '2026-02-28T00:00:00.000Z',
        '+012026-01-01T00:00:00.000Z'
      ],
      [8, 2, 5, 16]
    ])
  })

  it('of one panel can be asked for with an address', async () => {
    const id = await dashboard(
      [panel('a', 'table', { reference, sql: 'SELECT $line AS line, $interval_seconds AS s' })],
      {
        variables: [{ name: 'line', type: 'list', values: [{ value: 'x' }, { value: 'y' }] }]
      }
    )
    const path = `/api/dashboards/${id}/panels/a/data`
    const query = new URLSearchParams({ variables: '{"line":"y"}', maxPoints: '100', from: '-1h' })
    const { body, headers } = await test.call('GET', `${path}?${query}`, { as: 'viewer' })
    assert.deepEqual(body.panels[0].frames[0].values, [['y'], [60]])
    assert.equal(headers.get('cache-control'), 'no-store')
    const statuses = [
      '?variables=x',
      '?variables=[1]',
      '?variables={"line":1}',
      '?from=yesterday',
      '?variables={"line":"z"}'
    ]
    for (const [at, wrong] of statuses.entries()) {
      const { status } = await test.call('GET', path + wrong, { as: 'viewer' })
      assert.equal(status, at === 4 ? 422 : 400, wrong)
    }
    assert.equal((await test.call('GET', path.replace('/a/', '/b/'), { as: 'viewer' })).status, 404)
    assert.equal((await test.call('GET', path.replace(id, 'dsh_nobody'), { as: 'viewer' })).status, 404)
  })

  it('follow variables, each of which can depend on those before it; values only compare', async () => {
    const sql = 'SELECT name, amount FROM input WHERE line = any($line) AND name = $who'
    const id = await dashboard([panel('a', 'table', { reference, sql })], { variables: [lines, names] })
    const choices = async (variables: object) =>
      (await test.call('POST', `/api/dashboards/${id}/variables`, { as: 'viewer', body: { variables } })).body.variables
    const hostile = "'); DROP TABLE input; --"
    const [line, who] = await choices({ line: [hostile, '2'] })
    assert.deepEqual(
      line.options.map(({ value }: { value: string }) => value),
      [hostile, '1', '2']
    )
    assert.deepEqual(who.options, [
      { value: 'Cid', label: 'CID' },
      { value: 'Eve', label: 'EVE' }
    ])
    assert.deepEqual([line.chosen, who.chosen, who.truncated, who.error], [[hostile, '2'], ['Cid'], false, null])
    const [data] = await dataOf(id, { variables: { line: hostile, who: 'Eve' } })
    assert.deepEqual(data?.frames[0]?.values, [['Eve'], [40]])
    const body = { variables: { line: '1', who: 'Eve' } }
    const refused = await test.call('POST', `/api/dashboards/${id}/data`, { as: 'viewer', body })
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/variables/who'])
  })

  it('are masked for those who may not see them, whoever asked before', async () => {
    const id = await dashboard([
      panel('a', 'table', { reference, sql: 'SELECT name, amount FROM input ORDER BY amount' })
    ])
    const body = { resource: reference, level: 'confidential', columns: ['name'] }
    const label = await test.call('POST', '/api/classification/resources', { as: 'admin', body })
    assert.equal(label.status, 201, label.text)
    const [all] = await dataOf(id, {}, 'admin')
    const [some] = await dataOf(id)
    const [again] = await dataOf(id, {}, 'admin')
    assert.deepEqual([all?.frames[0]?.values[0]?.[0], all?.masked], ['Ann', []])
    assert.notEqual(some?.frames[0]?.values[0]?.[0], 'Ann')
    assert.deepEqual([some?.masked, some?.frames[0]?.values[1]], [['input'], [10, 20, 30, 40]])
    assert.equal(again?.frames[0]?.values[0]?.[0], 'Ann')
    await test.call('DELETE', `/api/classification/resources/${label.body.id}`, { as: 'admin' })
  })

  it('need the right to what they are made of, also where others have just read them', async () => {
    const id = await dashboard([panel('a', 'table', { reference }), panel('b', 'line', { sourceId })])
    await dataOf(id)
    const key = await makeKey(test, ['dashboards:read'])
    const { body } = await test.call('POST', `/api/dashboards/${id}/data`, { as: { token: key }, body: {} })
    assert.deepEqual(
      body.panels.map(({ error }: Data) => error?.code),
      ['permission_denied', 'permission_denied']
    )
  })

  it('of a panel can be tried before it is kept', async () => {
    const asked = panel('a', 'stat', { sourceId, tags: ['oil{line=$line}'], function: 'count', aggregation: '1d' })
    const definitions = [{ name: 'line', type: 'list', values: [{ value: '0' }, { value: '*' }] }]
    const preview = (line: string) => {
      const body = { panel: asked, definitions, variables: { line }, from: '-2h' }
      return test.call('POST', '/api/dashboards/preview', { as: 'viewer', body })
    }
    assert.equal((await preview('0')).body.panels[0].frames[0].values[1][0], 30)
    const [star] = (await preview('*')).body.panels[0].frames
    assert.deepEqual([star.name, star.values], ['oil{line=*}', [[], []]], 'a star that was chosen is no pattern')
    const body = { panel: panel('a', 'line', { sourceId, reference }) }
    assert.equal((await test.call('POST', '/api/dashboards/preview', { as: 'viewer', body })).status, 400)
  })

  it('can be followed', async () => {
    const id = await dashboard([panel('a', 'table', { reference, sql: 'SELECT count(*) AS n FROM input' })])
    const authorization = `Bearer ${await test.token('somebody', 'viewer')}`
    const reader = await readEvents(`${test.url}/api/dashboards/${id}/live?panels=a`, { authorization })
    assert.match(reader.contentType ?? '', /^text\/event-stream/)
    const first = await reader.next()
    assert.deepEqual([first?.event, first?.data.panelId, first?.data.frames[0].values], ['panel', 'a', [[4]]])
    reader.leave()
    const missing = await test.call('GET', `/api/dashboards/${id}/live?panels=b`, { as: 'viewer' })
    assert.equal(missing.status, 404)
  })
})
