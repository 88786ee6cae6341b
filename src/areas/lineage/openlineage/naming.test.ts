import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { WEB_URL } from '../../../../test/support/any-character.ts'
import { parseReference } from '../../../data/reference.ts'
import { dataNameOf, dataReferenceOf, jobNameOf, jobReferenceOf, type Naming } from './naming.ts'

const BUCKETS: Readonly<Record<string, string>> = {
  's3 lake-raw': 'raw',
  'gs exports': 'exports',
  'azure landing@acme': 'landing'
}
const naming: Naming = { bucketOf: (store, remoteBucket) => BUCKETS[`${store} ${remoteBucket}`] }
const referenceOf = (namespace: string, name: string) => dataReferenceOf({ namespace, name }, naming)

describe('the names of data', () => {
  for (const [namespace, name, reference] of [
    ['object://sales', '2026/a b+%.csv', 'object://sales/2026/a b+%.csv'],
    ['object://sales', '/a', 'object://sales//a'],
    ['object://', 'sales/a.csv', 'object://sales/a.csv'],
    ['series://src_1', 'boiler/temp', 'series://src_1/boiler/temp'],
    ['series://', 'src_1', 'series://src_1'],
    ['pipeline://', 'pl_1', 'pipeline://pl_1'],
    ['schema://', 'sch_1', 'schema://sch_1'],
    ['cluster://cl_1', 'main.orders', 'cluster://cl_1/main.orders'],
    ['model://churn', '3', 'model://churn/3'],
    ['s3://lake-raw', 'events/web', 'object://raw/events/web'],
    ['s3a://lake-raw', '/events/web', 'object://raw/events/web'],
    ['s3n://lake-raw/', 'events/dt=2026-11-17/*.parquet', 'object://raw/events/dt=2026-11-17/*.parquet'],
    ['gs://exports', 'a.csv', 'object://exports/a.csv'],
    ['abfss://landing@acme.dfs.core.windows.net', 'in/a.csv', 'object://landing/in/a.csv'],
    ['wasbs://landing@acme.blob.core.windows.net', 'in/a.csv', 'object://landing/in/a.csv'],
    ['s3://lake-raw', '/', 'dataset://s3%3A%2F%2Flake-raw//'],
    ['s3://elsewhere', 'a', 'dataset://s3%3A%2F%2Felsewhere/a'],
    ['s3://lake-raw.evil/x', 'a', 'dataset://s3%3A%2F%2Flake-raw.evil%2Fx/a'],
    ['S3://lake-raw', 'a', 'dataset://S3%3A%2F%2Flake-raw/a'],
    ['pipeline://pl_1', 'x', 'dataset://pipeline%3A%2F%2Fpl_1/x'],
    [
      'postgres://workshop-db:None',
      'workshop.public.taxes',
      'dataset://postgres%3A%2F%2Fworkshop-db%3ANone/workshop.public.taxes'
    ],
    ['bigquery', 'p.d.t', 'dataset://bigquery/p.d.t'],
    ['__proto__', 'constructor', 'dataset://__proto__/constructor'],
    ['object://b', 'x'.repeat(1200), `dataset://object%3A%2F%2Fb/${'x'.repeat(1200)}`]
  ] as const) {
    it(`are ${JSON.stringify([namespace, name.slice(0, 40)])}`, () =>
      assert.equal(referenceOf(namespace, name), reference))
  }

  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  const owner = text.filter((one) => !one.includes('/'))
  const path = fc.oneof(text, fc.constantFrom('a/b', '/a', 'a/', '..', '*.csv', '//', '%2F', '%'))

  it('of a reference of ours read as that reference again', () => {
    const withPath = fc.tuple(fc.constantFrom('object', 'series', 'cluster', 'connector', 'model'), owner, path)
    const alone = fc.tuple(fc.constantFrom('series', 'pipeline', 'model', 'dashboard', 'schema'), owner)
    const ours = fc.oneof(
      withPath.map(([scheme, one, rest]) => `${scheme}://${one}/${rest}`),
      alone.map(([scheme, one]) => `${scheme}://${one}`)
    )
    const property = fc.property(ours, (reference) => {
      const { namespace, name } = dataNameOf(reference) ?? assert.fail(`${reference} has no name`)
      assert.ok(namespace !== '' && name !== '')
      assert.equal(referenceOf(namespace, name), reference)
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('of data outside are the same after they were a reference', () => {
    const namespaces = fc.oneof(
      text,
      WEB_URL,
      fc.constantFrom('s3://x', 'dataset://a', 'object://a', 'schema://', '%41')
    )
    const property = fc.property(namespaces, path, (namespace, name) => {
      const reference = referenceOf(namespace, name)
      const back = dataNameOf(reference) ?? assert.fail(`${reference} has no name`)
      assert.equal(referenceOf(back.namespace, back.name), reference)
      if (reference.startsWith('dataset://')) assert.deepEqual(back, { namespace, name })
      else assert.ok(reference.startsWith('schema://') || !('problem' in parseReference(reference)))
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('differ where the data do', () => {
    const pair = fc.tuple(
      fc.constantFrom('a', 'a/b', 'a%2Fb', 'dataset://a', 'A'),
      fc.constantFrom('b', 'b/c', '/b', 'b%2Fc')
    )
    const property = fc.property(pair, pair, (one, other) => {
      assert.equal(referenceOf(...one) === referenceOf(...other), one.join('\0') === other.join('\0'))
    })
    fc.assert(property)
  })

  for (const wrong of [
    '',
    'a',
    'job://a/b',
    'dataset://',
    'dataset://a',
    'dataset://a/',
    'dataset:///b',
    'dataset://%zz/b',
    'object://b'
  ]) {
    it(`are none of ${JSON.stringify(wrong)}`, () => assert.equal(dataNameOf(wrong), undefined))
  }
})

describe('the names of jobs', () => {
  for (const [namespace, name, reference] of [
    ['millrace', 'pipeline/pl_1', 'job://pipeline/pl_1'],
    ['millrace', 'alert-rule/alr_1', 'job://alert-rule/alr_1'],
    ['millrace', 'whatever/x', 'job://millrace/whatever/x'],
    ['millrace', 'pipeline/', 'job://millrace/pipeline/'],
    ['airflow-prod', 'orders.load', 'job://airflow-prod/orders.load'],
    ['airflow://prod', 'a/b', 'job://airflow%3A%2F%2Fprod/a/b'],
    // Nobody becomes a pipeline of ours by calling his namespace so.
    ['pipeline', 'pl_1', 'job://%70ipeline/pl_1']
  ] as const) {
    it(`are ${namespace} ${name}`, () => {
      assert.equal(jobReferenceOf({ namespace, name }), reference)
      assert.deepEqual(jobNameOf(reference), { namespace, name })
    })
  }

  it('are the same after they were a reference', () => {
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
      fc.constantFrom('millrace', 'pipeline', 'pipeline/x', '%70ipeline', 'query/1', 'a/b')
    )
    const property = fc.property(word, word, (namespace, name) => {
      assert.deepEqual(jobNameOf(jobReferenceOf({ namespace, name })), { namespace, name })
    })
    fc.assert(property, { numRuns: 2000 })
  })

  for (const wrong of ['', 'pipeline/pl_1', 'job://', 'job://a', 'job://pipeline/', 'job://%/x', 'dataset://a/b']) {
    it(`are none of ${JSON.stringify(wrong)}`, () => assert.equal(jobNameOf(wrong), undefined))
  }
})
