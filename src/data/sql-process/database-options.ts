/** What every database that SQL of users reaches is opened with. */
export const SHUT_OFF: Readonly<Record<string, string>> = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_persistent_secrets: 'false',
  // DuckDB leaves out of the tree of a statement what older versions could not read, and what is not in it is not looked at.
  storage_compatibility_version: 'latest'
}
