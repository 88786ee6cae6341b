import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMasked } from './mask.ts'

test('a mask is over a column however its name is written', () => {
  const [one, two] = ['Größe', 'Größe'.normalize('NFD')] as const
  assert.notEqual(one, two)
  for (const masked of [one, two, 'GRÖßE', 'größe'.normalize('NFD')]) {
    for (const column of [one, two]) assert.ok(isMasked([masked], column), `${masked} ${column}`)
  }
  assert.ok(isMasked([`${two}.mm`], one), 'of a member, over all of the value')
  for (const again of ['mail_1', 'Mail_2', 'mail_1_1']) assert.ok(isMasked(['mail'], again), again)
  assert.ok(!isMasked(['mail_1'], 'mail') && !isMasked(['mail'], 'mail_x') && !isMasked(['mail'], 'mailing_1'))
  assert.ok(!isMasked([one], 'Grosse') && !isMasked(['a'], 'á'), 'another letter')
})
