/**
 * What a database in a process that lives long is opened with, so that memory it has freed goes back to the system soon.
 * By itself DuckDB keeps freed pages until something is allocated again: a process stays as large as its largest work, and
 * one at work is larger by a quarter to a third.
 */
export const GIVES_MEMORY_BACK: Readonly<Record<string, string>> = {
  allocator_background_threads: 'true',
  allocator_flush_threshold: '32MB',
  allocator_bulk_deallocation_flush_threshold: '64MB'
}
