import { duckdbPromises } from './testing/promises.ts'

duckdbPromises('memory', {})
