import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ColumnNews } from './column-news.ts'

const chunk = (columns: Record<string, 'integer' | 'text' | 'json'>, unchanged: string | null = null) => ({
  columns: [...Object.entries(columns), ['_unchanged', 'json'] as const].map(([name, type]) => ({ name, type })),
  values: [...Object.keys(columns).map(() => [null]), [unchanged]],
  rows: 1,
  keys: [],
  position: ''
})

test('columns that come, go or change are told, and values that were not sent once', () => {
  const told: string[] = []
  const news = new ColumnNews({ log: (level, message) => void told.push(`${level}: ${message}`) })
  news.see(chunk({ id: 'integer', name: 'text' }))
  news.see(chunk({ id: 'integer', name: 'text' }))
  assert.deepEqual(told, [])
  news.see(chunk({ id: 'text', size: 'integer' }, '["size"]'))
  news.see(chunk({ id: 'text', size: 'integer' }, '["size"]'))
  assert.deepEqual(told, [
    'warn: The columns have changed: id was integer and is text, size (integer) is new, name is gone',
    'warn: The server leaves out large values that did not change (["size"]): they are null; ALTER TABLE … REPLICA IDENTITY FULL makes it send them'
  ])
})
