import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  partial_write: {
    status: 400,
    title: 'Some lines were refused',
    detail: 'Correct the lines listed in errors; the others are written.',
    about:
      'The good lines of the write are durable, the others are not written: `accepted` and `rejected` count them, and each entry of `errors` has the `line`, a stable `code` and a `message`, for the first hundred. Sending the whole write again is safe.'
  },
  no_points_accepted: {
    status: 400,
    title: 'None of the points was accepted',
    detail: 'Correct the points listed in errors and send them again.',
    about:
      'Every point of the write was refused. `rejected` counts them, and each entry of `errors` has the `line`, a stable `code` and a `message`, for the first hundred.'
  },
  series_damaged: {
    status: 500,
    title: 'Points are damaged',
    detail: 'Ask for other tags or another time, or have the file put back from a backup.',
    about:
      'The disk does not give back the bytes that were written, as checksums tell, or a file is missing; `file`, `day` and `tag` say where. Other tags and days can be asked for; where `file` is `index.db` nothing can be read or written until it is put back. `millrace doctor` names all that is damaged and says what to do.'
  },
  series_full: {
    status: 507,
    title: 'There is no room for more points',
    detail: 'Free space, or set a retention for sources; then send the write again.',
    about:
      'The disk that the points are kept on is full. Nothing of the write was kept, or of a large one its beginning; sending it again is safe.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
