import add from '@vscode/codicons/src/icons/add.svg';
import arrowDown from '@vscode/codicons/src/icons/arrow-down.svg';
import attach from '@vscode/codicons/src/icons/attach.svg';
import check from '@vscode/codicons/src/icons/check.svg';
import chevronRight from '@vscode/codicons/src/icons/chevron-right.svg';
import circleFilled from '@vscode/codicons/src/icons/circle-filled.svg';
import circleOutline from '@vscode/codicons/src/icons/circle-large.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import code from '@vscode/codicons/src/icons/code.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import debugDisconnect from '@vscode/codicons/src/icons/debug-disconnect.svg';
import debugPause from '@vscode/codicons/src/icons/debug-pause.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import file from '@vscode/codicons/src/icons/file.svg';
import fileMedia from '@vscode/codicons/src/icons/file-media.svg';
import goToFile from '@vscode/codicons/src/icons/go-to-file.svg';
import info from '@vscode/codicons/src/icons/info.svg';
import insert from '@vscode/codicons/src/icons/insert.svg';
import json from '@vscode/codicons/src/icons/json.svg';
import key from '@vscode/codicons/src/icons/key.svg';
import loading from '@vscode/codicons/src/icons/loading.svg';
import newFile from '@vscode/codicons/src/icons/new-file.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import selection from '@vscode/codicons/src/icons/list-selection.svg';
import send from '@vscode/codicons/src/icons/send.svg';
import thinking from '@vscode/codicons/src/icons/thinking.svg';
import tools from '@vscode/codicons/src/icons/tools.svg';
import output from '@vscode/codicons/src/icons/output.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';
import watch from '@vscode/codicons/src/icons/watch.svg';
import wordWrap from '@vscode/codicons/src/icons/word-wrap.svg';

/** The codicons the page draws, as their SVG text. */
export const pictures = {
  add,
  arrowDown,
  attach,
  check,
  chevronRight,
  circleFilled,
  circleOutline,
  close,
  code,
  copy,
  debugDisconnect,
  debugPause,
  error,
  file,
  fileMedia,
  goToFile,
  info,
  insert,
  json,
  key,
  loading,
  newFile,
  output,
  question,
  refresh,
  selection,
  send,
  thinking,
  tools,
  warning,
  watch,
  wordWrap,
} as const;

export type IconName = keyof typeof pictures;
