import { duckdbPromises } from './testing/promises.ts'

duckdbPromises('memory and files, all the time sealing and merging', { generationPoints: 64 })
