import * as z from 'zod/mini';

const maxPathLength = 4_096;

/**
 * A path as a call contains it. Text that is blank, has several lines or a NUL, or has more than {@link maxPathLength}
 * characters isn't a path.
 */
export const pathSchema = z
  .string()
  .check(z.refine((path) => path.length <= maxPathLength && path.trim() !== '' && !/[\0\r\n]/.test(path)));
