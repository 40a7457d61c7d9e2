import type { AttachmentIcon } from '../../shared/protocol/vocabulary.ts';
import add from '@vscode/codicons/src/icons/add.svg';
import agent from '@vscode/codicons/src/icons/agent.svg';
import arrowDown from '@vscode/codicons/src/icons/arrow-down.svg';
import arrowLeft from '@vscode/codicons/src/icons/arrow-left.svg';
import arrowRight from '@vscode/codicons/src/icons/arrow-right.svg';
import arrowUp from '@vscode/codicons/src/icons/arrow-up.svg';
import attach from '@vscode/codicons/src/icons/attach.svg';
import bookmark from '@vscode/codicons/src/icons/bookmark.svg';
import calendar from '@vscode/codicons/src/icons/calendar.svg';
import caseSensitive from '@vscode/codicons/src/icons/case-sensitive.svg';
import check from '@vscode/codicons/src/icons/check.svg';
import checklist from '@vscode/codicons/src/icons/checklist.svg';
import chevronDown from '@vscode/codicons/src/icons/chevron-down.svg';
import chevronRight from '@vscode/codicons/src/icons/chevron-right.svg';
import circleFilled from '@vscode/codicons/src/icons/circle-filled.svg';
import circleOutline from '@vscode/codicons/src/icons/circle-large.svg';
import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg';
import clockface from '@vscode/codicons/src/icons/clockface.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import code from '@vscode/codicons/src/icons/code.svg';
import comment from '@vscode/codicons/src/icons/comment.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import debugDisconnect from '@vscode/codicons/src/icons/debug-disconnect.svg';
import diff from '@vscode/codicons/src/icons/diff.svg';
import edit from '@vscode/codicons/src/icons/edit.svg';
import ellipsis from '@vscode/codicons/src/icons/ellipsis.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import file from '@vscode/codicons/src/icons/file.svg';
import fileMedia from '@vscode/codicons/src/icons/file-media.svg';
import files from '@vscode/codicons/src/icons/files.svg';
import filter from '@vscode/codicons/src/icons/filter.svg';
import filterFilled from '@vscode/codicons/src/icons/filter-filled.svg';
import folder from '@vscode/codicons/src/icons/folder.svg';
import gitCompare from '@vscode/codicons/src/icons/git-compare.svg';
import goToFile from '@vscode/codicons/src/icons/go-to-file.svg';
import globe from '@vscode/codicons/src/icons/globe.svg';
import info from '@vscode/codicons/src/icons/info.svg';
import insert from '@vscode/codicons/src/icons/insert.svg';
import json from '@vscode/codicons/src/icons/json.svg';
import key from '@vscode/codicons/src/icons/key.svg';
import loading from '@vscode/codicons/src/icons/loading.svg';
import newFile from '@vscode/codicons/src/icons/new-file.svg';
import notebook from '@vscode/codicons/src/icons/notebook.svg';
import openPreview from '@vscode/codicons/src/icons/open-preview.svg';
import output from '@vscode/codicons/src/icons/output.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import quote from '@vscode/codicons/src/icons/quote.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import regex from '@vscode/codicons/src/icons/regex.svg';
import saveAs from '@vscode/codicons/src/icons/save-as.svg';
import search from '@vscode/codicons/src/icons/search.svg';
import listSelection from '@vscode/codicons/src/icons/list-selection.svg';
import send from '@vscode/codicons/src/icons/send.svg';
import snippet from '@vscode/codicons/src/icons/symbol-snippet.svg';
import symbolField from '@vscode/codicons/src/icons/symbol-field.svg';
import terminal from '@vscode/codicons/src/icons/terminal.svg';
import thinking from '@vscode/codicons/src/icons/thinking.svg';
import tools from '@vscode/codicons/src/icons/tools.svg';
import vm from '@vscode/codicons/src/icons/vm.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';
import wholeWord from '@vscode/codicons/src/icons/whole-word.svg';
import wordWrap from '@vscode/codicons/src/icons/word-wrap.svg';

/** The codicons used on the page, as SVG text. */
export const svgs = {
  add,
  agent,
  arrowDown,
  arrowLeft,
  arrowRight,
  arrowUp,
  attach,
  bookmark,
  calendar,
  caseSensitive,
  check,
  checklist,
  chevronDown,
  chevronRight,
  circleFilled,
  circleOutline,
  circleSlash,
  clockface,
  close,
  code,
  comment,
  copy,
  debugDisconnect,
  diff,
  edit,
  ellipsis,
  error,
  file,
  'file-media': fileMedia,
  files,
  filter,
  filterFilled,
  folder,
  gitCompare,
  'go-to-file': goToFile,
  globe,
  info,
  insert,
  json,
  key,
  loading,
  newFile,
  notebook,
  openPreview,
  output,
  question,
  quote,
  refresh,
  regex,
  saveAs,
  search,
  'list-selection': listSelection,
  send,
  snippet,
  'symbol-field': symbolField,
  terminal,
  thinking,
  tools,
  vm,
  warning,
  wholeWord,
  wordWrap,
} as const satisfies Readonly<Record<AttachmentIcon, string>> & Readonly<Record<string, string>>;

export type IconName = keyof typeof svgs;
