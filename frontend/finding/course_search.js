// Finding an example by what it is about: in English, in Simplified or in Traditional Chinese.
//
// The table has the characters that the course is written with; other ways to say a thing stand in a list of their own.

/** @import { Course, Example, Group } from "../types.js" */

/** A traditional character, then the simplified one. */
const PAIRS =
  "萬万與与兩两個个臨临為为爲为義义麼么麽么習习於于從从們们優优會会傳传體体價价側侧關关內内冊册寫写決决減减幾几" +
  "則则別别刪删剎刹辦办動动務务區区單单佔占卻却參参雙双發发髮发變变號号後后嗎吗響响圍围圖图塊块聲声處处備备復复" +
  "複复夠够頭头學学實实對对導导將将層层峽峡帶带幫帮並并應应開开異异張张歸归當当錄录徹彻徑径憶忆態态恆恒執执掃扫" +
  "護护報报擬拟損损換换據据擺摆數数斷断無无舊旧時时顯显曉晓機机權权來来條条極极構构標标樹树樣样檢检橫横殘残匯汇" +
  "彙汇沒没測测漸渐點点熱热狀状環环現现畫画蓋盖盤盘監监確确碼码離离種种積积稱称穩稳窮穷簡简類类紅红約约級级縱纵" +
  "紙纸線线練练組组經经結结給给絡络繼继續续緩缓縮缩網网脹胀節节範范蕩荡規规視视計计認认討讨讓让訓训議议記记許许" +
  "論论設设訪访證证識识詞词試试話话詢询該该誤误說说読读讀读課课誰谁調调負负賴赖賽赛贏赢蹤踪車车軌轨轉转輪轮較较" +
  "輸输邊边達达過过運运還还這这進进遠远連连遲迟跡迹適适選选遞递裏里裡里錯错長长門门問问間间陣阵階阶際际隨随隱隐" +
  "斂敛見见屬属著着順顺遷迁丟丢釋释衝冲沖冲" +
  "靜静須须預预題题額额飽饱駐驻驗验驟骤鏈链鎖锁鈕钮質质維维絕绝產产準准擴扩終终閉闭總总講讲東东繞绕";

/** Other ways to say it, and how the course does; both in simplified characters and small letters. */
const OTHERWISE = /** @type {const} */ ([
  ["锁链规则", "链式法则"],
  ["链锁法则", "链式法则"],
  ["链式规则", "链式法则"],
  ["运算图", "计算图"],
  ["表达式爆炸", "表达式膨胀"],
  ["自动求导", "自动微分"],
  ["符号求导", "符号微分"],
  ["数值求导", "数值微分"],
  ["梯度检查", "梯度检验"],
  ["代价函数", "损失函数"],
  ["后向传播", "反向传播"],
  ["正向传播", "前向传播"],
  ["记录带", "梯度带"],
  ["moment ", "momentum "],
  ["computer_gradients", "compute_gradients"],
  ["back propagation", "backpropagation"],
]);

const SIMPLIFIED = new Map(Array.from({ length: PAIRS.length / 2 }, (_, i) => [PAIRS[2 * i], PAIRS[2 * i + 1]]));

/** A text as it is compared: small letters, full width as half, simplified characters. @param {string} text */
export const plain = (text) => [...text.normalize("NFKC").toLowerCase()].map((each) => SIMPLIFIED.get(each) ?? each).join("");

/** What is looked for, word by word. @param {string} query */
function wordsOf(query) {
  const said = OTHERWISE.reduce((text, [other, ours]) => text.replaceAll(other, ours), `${plain(query)} `);
  return said.split(/[\s,、，。]+/).filter(Boolean);
}

/** Subjects that items of a group are about without saying so. @type {Readonly<Record<string, string>>} */
const SUBJECTS = {
  first: "computational graph 计算图 自动微分 automatic differentiation",
  paths: "chain rule 链式法则 计算图 computational graph backpropagation 反向传播 多元 拓扑序",
  update: "gradient descent 梯度下降 学习率 learning rate 损失函数 loss function",
  optimizers: "optimizer 优化器 momentum 动量 adam",
  rules: "register gradient custom gradient 注册梯度 自定义梯度 梯度检验 gradient check",
  tapes: "gradienttape tape 梯度带 控制流 control flow eager 即时执行",
  ways: "automatic differentiation 自动微分 符号微分 数值微分 symbolic numeric 表达式膨胀 expression swell 有限差分",
  breaks: "nan 非数 无穷大 vanishing exploding 梯度消失 梯度爆炸",
  larger: "higher-order derivative 高阶导数 hessian 黑塞矩阵 network 神经网络",
};

/** @param {Example} example @param {Group} group */
function textOf(example, { id, title }) {
  const { goal, prompts, ask, closing, teaches, source } = example;
  const parts = [example.title, title, teaches, goal, ...prompts, ...Object.values(ask), ...Object.values(closing)];
  return plain([example.id, ...parts.flatMap(({ en, zh }) => [en, zh]), source, SUBJECTS[id] ?? ""].join("\n"));
}

/**
 * The groups with the examples in which every word occurs; those without one are left out.
 * @param {Course} course @param {string} query @returns {{group: Group, examples: Example[]}[]}
 */
export function foundIn({ groups, examples }, query) {
  const words = wordsOf(query);
  const byId = new Map(examples.map((example) => [example.id, example]));
  return groups
    .map((group) => ({
      group,
      examples: group.items.flatMap((id) => {
        const example = byId.get(id);
        if (!example) return [];
        const text = words.length > 0 ? textOf(example, group) : "";
        return words.every((word) => text.includes(word)) ? [example] : [];
      }),
    }))
    .filter((found) => found.examples.length > 0);
}
