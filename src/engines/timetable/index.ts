export { excludedUntil } from './excluded-until.ts'
export { jitterMs } from './jitter.ts'
export { timetableOf } from './timetable.ts'
export { type Due, type Exclusion, type Timetable, type Timing, TimingError, type Weekday } from './timing.ts'
