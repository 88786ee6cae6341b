import { declareErrors } from '../../errors.ts'

export * from '../../errors.ts'

const errors = declareErrors({
  not_yours_to_edit: {
    status: 403,
    title: 'The dashboard is not yours to change',
    detail: 'You can see it; ask its owner to share it with you for editing, or make a copy.',
    about:
      'Dashboards are changed by their owner, by those it is shared with for editing, by everybody with the role where it says `everyone: edit`, and by administrators.'
  },
  share_not_found: {
    status: 404,
    title: 'There is no such link',
    detail: 'Check that the link is whole, or ask whoever sent it for another one.',
    about: 'No share has this token: it was mistyped or cut off, or the dashboard was deleted.'
  },
  share_revoked: {
    status: 403,
    title: 'The link was revoked',
    detail: 'Ask whoever sent it for another one.',
    about: 'Somebody who may edit the dashboard has revoked this share.'
  },
  share_expired: {
    status: 403,
    title: 'The link has expired',
    detail: 'Ask whoever sent it for another one.',
    about: 'The share has ended at the time that was said when it was made.'
  },
  share_maker_gone: {
    status: 403,
    title: 'Whoever made the link may no longer show this',
    detail: 'Ask somebody who may see the dashboard for another link.',
    about:
      'A share shows what whoever made it may see: it ends when that user is disabled, or may no longer see the dashboard.'
  },
  share_locked: {
    status: 429,
    title: 'Too many wrong passwords',
    detail: 'Wait as long as Retry-After says.',
    about:
      'After ten wrong passwords in a row a share takes none for a quarter of an hour, from anybody. Whoever has unlocked it before goes on seeing it.'
  },
  share_password_needed: {
    status: 401,
    title: 'The link has a password',
    detail: 'Send the password to unlock, and what it answers as `access` with every request.',
    about: 'The share has a password; what `unlock` answers is good for an hour.'
  },
  share_password_wrong: {
    status: 401,
    title: 'The password is wrong',
    detail: 'Check the password. After ten wrong ones in a row none is taken for a quarter of an hour.',
    about: 'The password of a share did not match.'
  },
  share_above_level: {
    status: 403,
    title: 'The data are above what the link may show',
    detail: 'Ask whoever sent it; they may make another one once they have seen what changed.',
    about:
      'The level of the data has become stricter since the share was made, or whoever made it may no longer see them.'
  },
  share_variable_fixed: {
    status: 403,
    title: 'The link does not let you choose this',
    detail: 'Leave out the variables and times that the link fixes.',
    about: 'Whoever made the share has fixed values of variables, or the time range.'
  },
  share_busy: {
    status: 429,
    title: 'The link is asked too often',
    detail: 'Wait as long as Retry-After says.',
    about: 'All viewers of a share together may ask so often in a minute, as whoever made it has said.'
  },
  too_many_shares: {
    status: 409,
    title: 'The dashboard has too many shares or snapshots',
    detail: 'Delete some that are no longer needed.',
    about: 'A dashboard can have 1,000 shares, revoked ones included, and 100 snapshots.'
  },
  snapshot_too_large: {
    status: 422,
    title: 'The data are too large for a snapshot',
    detail: 'Show a shorter time, or fewer panels or rows.',
    about: 'A snapshot keeps at most 10 MiB of data.'
  },
  too_many_favourites: {
    status: 409,
    title: 'You have too many favourites',
    detail: 'Take some of your 1,000 favourites out first.',
    about: 'Favourites are for what is needed often; everything else is found by name, tag or folder.'
  }
})

type Own = typeof errors

declare module '../../errors.ts' {
  interface Errors extends Own {}
}
