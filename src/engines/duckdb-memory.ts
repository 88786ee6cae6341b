/**
 * Options for a database in a long-lived process, so that freed memory goes back to the system soon. By default
 * DuckDB keeps freed pages until the next allocation: a process stays as large as its largest work, and is larger by
 * a quarter to a third while it works.
 */
export const GIVES_MEMORY_BACK: Readonly<Record<string, string>> = {
  allocator_background_threads: 'true',
  allocator_flush_threshold: '32MB',
  allocator_bulk_deallocation_flush_threshold: '64MB'
}
