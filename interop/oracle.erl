%% A server for Erlang's ASN.1 application: requests and answers are terms with their length in front, on descriptors 3 and 4. See erlang_oracle.py.
-module(oracle).
-export([serve/0]).

serve() ->
    Port = open_port({fd, 3, 4}, [{packet, 4}, binary, eof]),
    loop(Port).

loop(Port) ->
    receive
        {Port, {data, Request}} ->
            Answer = try answer(binary_to_term(Request))
                     catch _:Why -> {error, text(Why)}
                     end,
            port_command(Port, term_to_binary(Answer)),
            loop(Port);
        {Port, eof} -> halt(0)
    end.

%% Compiles a module and loads it; the modules that it imports from have been compiled before.
answer({compile, Folder, Module, Options}) ->
    %% Most of the time goes into optimizing code that runs a few hundred times.
    Fast = [no_copt, no_ssa_opt, no_type_opt, no_bool_opt, no_share_opt, no_bsm_opt, no_recv_opt],
    case asn1ct:compile(filename:join(Folder, Module), [maps, {outdir, Folder}, {i, Folder} | Options ++ Fast]) of
        ok ->
            code:purge(Module),
            {module, _} = code:load_abs(filename:join(Folder, Module)),
            {ok, compiled};
        {error, Why} -> {error, text(Why)}
    end;
answer({encode, Module, Type, Value}) -> result(Module:encode(Type, Value));
answer({decode, Module, Type, Octets}) -> result(Module:decode(Type, Octets)).

result({ok, Result}) -> {ok, Result};
result({ok, Result, <<>>}) -> {ok, Result};
result({ok, _, Rest}) -> {error, text({octets_left, byte_size(Rest)})};
result({error, {asn1, {Why, _Stack}}}) -> {error, text(Why)};
result({error, Why}) -> {error, text(Why)}.

text(Term) -> unicode:characters_to_binary(io_lib:format("~0P", [Term, 20])).
