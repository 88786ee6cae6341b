import { test } from 'node:test'
import { tryMutations } from './testing/try-mutations.ts'

test('ten thousand broken dashboards give faults or dashboards that can be saved', () => {
  tryMutations(10_000, 2)
})
