%% Reads a formula a line in LBT's syntax. Prints the Büchi automaton of Erlang's LTL2Buchi in HOA.
%% With the argument norew the formula is not rewritten, but brought into positive normal form.
-module(erlang_ltl2buchi).
-export([main/1]).

main(Args) ->
    case io:get_line("") of
        eof ->
            halt();
        Line ->
            {F, []} = formula(string:tokens(string:trim(Line), " ")),
            io:put_chars(hoa(translate(Args, F))),
            main(Args)
    end.

translate([], F) -> ltl2buchi:translate(F);
translate([norew], F) -> ltl2buchi:translate_norew(ltl:pnf(F)).

formula(["t" | Rest]) -> {ltl:ltrue(), Rest};
formula(["f" | Rest]) -> {ltl:lfalse(), Rest};
formula(["!" | Rest]) -> unary(lnot, Rest);
formula(["X" | Rest]) -> unary(next, Rest);
formula(["F" | Rest]) -> unary(eventually, Rest);
formula(["G" | Rest]) -> unary(always, Rest);
formula(["&" | Rest]) -> binary(land, Rest);
formula(["|" | Rest]) -> binary(lor, Rest);
formula(["i" | Rest]) -> binary(implication, Rest);
formula(["e" | Rest]) -> binary(equivalent, Rest);
formula(["U" | Rest]) -> binary(until, Rest);
formula(["V" | Rest]) -> binary(release, Rest);
formula([P | Rest]) -> {ltl:prop(list_to_atom(P)), Rest}.

unary(Op, Tokens) ->
    {X, Rest} = formula(Tokens),
    {ltl:Op(X), Rest}.

binary(Op, Tokens) ->
    {X, More} = formula(Tokens),
    {Y, Rest} = formula(More),
    {ltl:Op(X, Y), Rest}.

hoa({States, Initial, Edges, Accepting}) ->
    Props = lists:usort([prop(L) || {_, _, Label} <- Edges, L <- Label, L =/= ltrue]),
    Edge = fun(To, Label) -> io_lib:format("[t~s] ~b\n", [[literal(L, Props) || L <- Label], To]) end,
    [
        "HOA: v1\n",
        [io_lib:format("Start: ~b\n", [S]) || S <- Initial],
        io_lib:format("AP: ~b", [length(Props)]),
        [io_lib:format(" \"~s\"", [P]) || P <- Props],
        "\nAcceptance: 1 Inf(0)\n--BODY--\n",
        [
            [
                io_lib:format("State: ~b~s\n", [S, [" {0}" || lists:member(S, Accepting)]]),
                [Edge(To, Label) || {From, To, Label} <- Edges, From =:= S]
            ]
         || S <- lists:seq(0, lists:max([-1 | States])) % HOA wants the unused numbers, too
        ],
        "--END--\n"
    ].

prop({lprop, P}) -> P;
prop({lnot, {lprop, P}}) -> P.

literal(ltrue, _) -> "";
literal(L, Props) ->
    Before = lists:takewhile(fun(P) -> P =/= prop(L) end, Props),
    io_lib:format("&~s~b", [["!" || element(1, L) =:= lnot], length(Before)]).
