/**
 * Imported before everything else by the page and its workers: zod otherwise tries whether it may evaluate text, which the
 * page's security policy forbids and reports.
 */
import { config } from 'zod';

config({ jitless: true });
