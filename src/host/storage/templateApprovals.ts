import type * as vscode from 'vscode';
import * as z from 'zod/mini';

const entryName = 'approvedTemplates';
const schema = z.catch(z.record(z.string(), z.string()), {});

/** The template in each setting that the user approved last. A changed template must be approved again. */
export class TemplateApprovals {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** Whether the user approved this template of the setting. */
  isApproved(setting: string, template: string): boolean {
    return this.#read()[setting] === template;
  }

  /** Saves that the user approved this template of the setting. */
  async approve(setting: string, template: string): Promise<void> {
    await this.#memento.update(entryName, { ...this.#read(), [setting]: template });
  }

  #read(): z.output<typeof schema> {
    return schema.parse(this.#memento.get(entryName));
  }
}
