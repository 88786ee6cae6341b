/** Options of every database that runs SQL of users. */
export const SHUT_OFF: Readonly<Record<string, string>> = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_persistent_secrets: 'false',
  // The serialised tree of a statement leaves out syntax that older versions could not read, and the check would miss
  // it.
  storage_compatibility_version: 'latest'
}
