import { test } from 'node:test'
import { tryMutations } from './testing/try-mutations.ts'

test('a dashboard that somebody broke gives faults or a dashboard that can be saved', () => {
  tryMutations(150, 1)
})
