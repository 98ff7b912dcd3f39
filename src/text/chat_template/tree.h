// The parsed template: expressions that evaluate to a value, statements that write text. Nodes are immutable after
// parsing, so one tree may be rendered by several threads at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/chat_template/builtins.h"
#include "text/chat_template/value.h"

namespace minfer::jinja {

using NameId = uint32_t;  // index into Template::names

struct Expr {
  explicit Expr(int at_line) : line(at_line) {}
  virtual ~Expr() = default;
  virtual Value evaluate(Interpreter& interpreter) const = 0;
  // What it is called in the message of a limit: "the filter 'join'"; "" for what only passes values on.
  virtual std::string construct() const { return {}; }

  int line;
  int depth = 1;  // longest path to a leaf
};
using ExprPtr = std::unique_ptr<Expr>;

enum class BinaryOp { kAdd, kSubtract, kMultiply, kDivide, kFloorDivide, kModulo, kPower };
enum class UnaryOp { kNegate, kPlus, kNot };
enum class CompareOp { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual, kIn, kNotIn };

struct LiteralExpr : Expr {
  LiteralExpr(int at_line, Value v) : Expr(at_line), value(std::move(v)) {}
  Value evaluate(Interpreter&) const override { return value; }
  Value value;
};

struct NameExpr : Expr {
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  NameId id = 0;
  std::string name;
};

struct SequenceExpr : Expr {  // [a, b] or (a, b)
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  std::string construct() const override;
  bool is_tuple = false;
  std::vector<ExprPtr> items;
};

struct DictExpr : Expr {
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  std::string construct() const override;
  std::vector<std::pair<ExprPtr, ExprPtr>> items;
};

struct UnaryExpr : Expr {
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  UnaryOp op{};
  ExprPtr operand;
};

struct BinaryExpr : Expr {
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  std::string construct() const override;
  BinaryOp op{};
  ExprPtr left, right;
};

struct LogicExpr : Expr {  // and, or: gives one of its operands
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  bool is_and = false;
  ExprPtr left, right;
};

struct CompareExpr : Expr {  // a < b < c
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  std::string construct() const override;
  ExprPtr first;
  std::vector<std::pair<CompareOp, ExprPtr>> rest;
};

struct ConcatExpr : Expr {  // a ~ b
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  std::string construct() const override;
  std::vector<ExprPtr> parts;
};

struct ConditionalExpr : Expr {  // yes if condition else no
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  ExprPtr condition, yes, no;  // no: may be null
};

struct AttributeExpr : Expr {  // object.name
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  ExprPtr object;
  std::string name;
};

struct SubscriptExpr : Expr {  // object[index]
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  std::string construct() const override;
  ExprPtr object, index;
};

struct SliceExpr : Expr {  // object[start:stop:step]; each may be null
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  std::string construct() const override;
  ExprPtr object, start, stop, step;
};

// What stands between the parentheses of a call.
struct ArgumentExprs {
  CallArgs evaluate(Interpreter& interpreter) const;
  std::vector<ExprPtr> positional;
  std::vector<std::pair<std::string, ExprPtr>> named;
  ExprPtr star, double_star;  // *args, **kwargs; may be null
};

struct CallExpr : Expr {
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override { return call(interpreter, nullptr); }
  std::string construct() const override;
  // `caller`: what a call block passes along, or null.
  Value call(Interpreter& interpreter, const Value* caller) const;
  ExprPtr callee;
  ArgumentExprs arguments;
};

// One `|name(arguments)`.
struct FilterStep {
  Value apply(Interpreter& interpreter, const Value& input) const;
  std::string name;
  FilterFunction function = nullptr;  // null: no such filter, an error when it is reached
  ArgumentExprs arguments;
  int line = 0;
  int depth = 1;  // of the deepest argument, and one more
};

struct FilterExpr : Expr {
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  std::string construct() const override;
  ExprPtr input;
  FilterStep step;
};

struct TestExpr : Expr {  // input is name(arguments)
  using Expr::Expr;
  Value evaluate(Interpreter& interpreter) const override;
  std::string construct() const override;
  ExprPtr input;
  std::string name;
  TestFunction function = nullptr;
  ArgumentExprs arguments;
};

enum class Flow { kNext, kBreak, kContinue };

struct Statement {
  explicit Statement(int at_line) : line(at_line) {}
  virtual ~Statement() = default;
  virtual Flow execute(Interpreter& interpreter) const = 0;
  virtual std::string construct() const { return {}; }  // as Expr::construct
  int line;
};
using Body = std::vector<std::unique_ptr<Statement>>;

// What a value is assigned to: a name, a namespace's attribute, or several targets.
struct Target {
  void assign(Interpreter& interpreter, Value value) const;
  NameId id = 0;
  std::string name;
  std::string attribute;  // not empty: of the namespace called `name`
  std::vector<Target> parts;
  bool is_tuple = false;
};

struct TextStatement : Statement {
  using Statement::Statement;
  Flow execute(Interpreter& interpreter) const override;
  std::string text;
};

struct PrintStatement : Statement {
  using Statement::Statement;
  Flow execute(Interpreter& interpreter) const override;
  std::string construct() const override;
  ExprPtr value;
};

struct IfStatement : Statement {
  using Statement::Statement;
  Flow execute(Interpreter& interpreter) const override;
  std::vector<std::pair<ExprPtr, Body>> branches;
  Body otherwise;
};

struct ForStatement : Statement {
  using Statement::Statement;
  Flow execute(Interpreter& interpreter) const override;
  std::string construct() const override;
  void run(Interpreter& interpreter, const Value& iterable, int depth0) const;
  Value filtered(Interpreter& interpreter, const Value& iterable) const;
  Target target;
  ExprPtr iterable, condition;  // condition: may be null
  bool recursive = false;
  NameId loop_id = 0;
  Body body, otherwise;
};

struct JumpStatement : Statement {  // break, continue
  using Statement::Statement;
  Flow execute(Interpreter&) const override { return flow; }
  Flow flow{};
};

struct SetStatement : Statement {
  using Statement::Statement;
  Flow execute(Interpreter& interpreter) const override;
  std::string construct() const override;
  Target target;
  ExprPtr value;
};

struct SetBlockStatement : Statement {
  using Statement::Statement;
  Flow execute(Interpreter& interpreter) const override;
  std::string construct() const override;
  Target target;
  std::vector<FilterStep> filters;
  Body body;
};

struct FilterBlockStatement : Statement {
  using Statement::Statement;
  Flow execute(Interpreter& interpreter) const override;
  std::string construct() const override;
  std::vector<FilterStep> filters;
  Body body;
};

struct WithStatement : Statement {
  using Statement::Statement;
  Flow execute(Interpreter& interpreter) const override;
  std::vector<std::pair<Target, ExprPtr>> assignments;
  Body body;
};

struct GenerationStatement : Statement {  // marks what the model wrote; prints it unchanged
  using Statement::Statement;
  Flow execute(Interpreter& interpreter) const override;
  Body body;
};

struct Parameter {
  NameId id;
  std::string name;
  ExprPtr fallback;  // may be null
};

// A macro, or the body of a call block.
struct MacroBody {
  std::string name;
  std::vector<Parameter> parameters;
  bool uses_caller = false, uses_varargs = false, uses_kwargs = false;
  NameId caller_id = 0, varargs_id = 0, kwargs_id = 0;
  Body body;
};

struct MacroStatement : Statement {
  using Statement::Statement;
  Flow execute(Interpreter& interpreter) const override;
  std::string construct() const override;
  NameId id = 0;
  MacroBody macro;
};

struct CallBlockStatement : Statement {
  using Statement::Statement;
  Flow execute(Interpreter& interpreter) const override;
  std::string construct() const override;
  std::unique_ptr<CallExpr> call;
  MacroBody caller;
};

struct Template {
  Body body;
  std::vector<std::string> names;

  std::optional<NameId> find_name(std::string_view name) const;
};

}  // namespace minfer::jinja
